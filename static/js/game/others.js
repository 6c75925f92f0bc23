/* Shows the turns of the others, step by step. */
import { $, all } from "../page/dom.js";
import { board, isStill, make, pace, rowsAt } from "./board.js";
import { rejoice } from "./motion.js";

export const showTurn = (seat) =>
  all(".player").forEach((player, i) => player.classList.toggle("player-turn", i === seat));

/* While the others say what they did, the figures, the pile and the mark of the turn change with
   them, until they are as the server drew them. */
export function showSteps() {
  const { figures, pile } = board.querySelector("[data-figures]")?.dataset ?? {};
  const time = pace();
  const [bridge] = all("progress");
  if (!figures || !time || isStill()) return;
  const players = all(".player");
  const [label] = all(".piles > div.pile:first-child .pile-name");
  const [now] = all(".strip-now");
  const shown = label?.textContent;
  const turn = players.findIndex((player) => player.matches(".player-turn"));
  now?.classList.remove("strip-now");
  const steps = JSON.parse(figures);
  const shows = steps.map(({ acts, left, players: each }, at) => () => {
    showTurn(acts);
    const card = $("news") && board.querySelector(`.table-card.new.s${at}`);
    if (card) {
      // The others celebrate with a classmate.
      const earned = each[acts][0] - steps[at - 1].players[acts][0];
      rejoice(rowsAt(card)[0], earned, bridge ?? players[acts].querySelector(".score"));
    }
    if (label) label.textContent = pile.replace("{n}", left); // a pile to take from keeps its word
    if (bridge) bridge.nextElementSibling.textContent = bridge.value = each[0][0];
    each.forEach(([score, count], i) => {
      const backs = players[i].querySelector(".backs");
      const marks = Array.from({ length: count }, () => make("i"));
      players[i].querySelector(".score").firstChild.data = score;
      backs.firstElementChild.textContent = count;
      backs.replaceChildren(backs.firstElementChild, ...marks);
    });
  });
  shows.push(() => {
    showTurn(turn);
    if (label) label.textContent = shown;
    now?.classList.add("strip-now");
  });
  shows.shift()();
  const last = shows.length - 1;
  shows.forEach((show, at) => setTimeout(show, (at + (at < last && 0.5)) * time));
}

/* Show what the others did once more, at half the speed. */
function showAgain() {
  for (const step of board.getAnimations({ subtree: true }))
    if (
      ["say", "land", "light", "taken"].includes(step.animationName) &&
      !step.effect.target.closest(".over")
    ) {
      step.updatePlaybackRate(0.5);
      step.currentTime = 0;
      step.play();
    }
}
board.addEventListener("click", ({ target }) => {
  if (target.closest("button.again")) showAgain();
});

/* Scroll each sentence of the others into sight when it is said. */
board.addEventListener("animationstart", ({ target }) => {
  if (target.matches(".said-step")) target.scrollIntoView({ block: "nearest" });
});
