/* Cards glide to where they land; a row that was laid glows, and its points fly to the score. */
import { $, all } from "../page/dom.js";
import { board, flight, ghostOf, isStill, make, rowsAt, state } from "./board.js";

const home = (card) => card.closest("#table, #hand, #board").id;
export function rememberCards() {
  state.cards = new Map(
    all("[data-card]").map((card) => [
      card.dataset.card,
      [card.getBoundingClientRect(), home(card), card],
    ]),
  );
}

/* All cards that have another place than before, measured before anything moves. The ground and
   the name of a row move with its card. */
export function movedCards() {
  if (isStill()) return [];
  const cards = all("label.card").flatMap(moveOf);
  const onTable = cards.filter(({ duration }) => duration === SLOW);
  return [
    ...cards,
    ...all(".table-row").flatMap((row) => {
      const move = onTable.find(({ card }) => rowsAt(card).includes(row));
      return move
        ? [...row.querySelectorAll(".bar, .tag-at")].map((card) => ({ ...move, card }))
        : [];
    }),
  ];
}
/* Milliseconds: slow enough for the eye to follow a row on the table. */
const SLOW = 500;
function moveOf(card) {
  const { by } = card.dataset;
  const to = card.getBoundingClientRect();
  const at = home(card);
  const { cards } = state;
  const [from, before] =
    cards.get(card.dataset.card) ||
    cards.get(by ? `seat-${by}` : at === "hand" ? "pile" : "") ||
    [];
  if (!from || !to.width || Math.abs(from.x - to.x) + Math.abs(from.y - to.y) < 2) return [];
  const delay = by ? parseFloat(getComputedStyle(card).animationDelay) * 1000 : 0;
  const stays = before === at;
  return [{ card, by, from, to, delay, stays, duration: stays && at === "table" ? SLOW : 220 }];
}

/* Cards that another player laid come from their face, each in its step. */
export function glide(cards) {
  for (const card of all(".taken")) {
    const from = card.getBoundingClientRect();
    const to = board.querySelector(`[data-card="${card.dataset.to}"]`).getBoundingClientRect();
    if (!to.width) continue; // the face is not drawn where there is no room
    card.style.cssText = `--x: ${to.x - from.x}px; --y: ${to.y - from.y}px`;
  }
  for (const { card, by, from, to, delay, stays, duration } of cards) {
    const time = { duration, delay, easing: "ease-out", fill: "backwards" };
    if (stays) {
      card.animate(flight(from, to, by), time);
      continue;
    }
    flyTo(card, from, to, time, by);
    card.animate([{ opacity: 0 }, { opacity: 0 }], time);
  }
  /* Cards that were exchanged go back to the pile. */
  const [pile] = state.cards.get("pile") ?? [];
  if (pile && $("hand") && !isStill())
    for (const [name, [from, at, card]] of state.cards)
      if (at === "hand" && !board.querySelector(`[data-card="${name}"]`))
        flyTo(card, from, pile, { duration: SLOW, easing: "ease-out" });
}
function flyTo(card, from, to, time, by) {
  const ghost = ghostOf(card, to);
  board.append(ghost);
  ghost.animate(flight(from, to, by), time).onfinish = () => ghost.remove();
}

function flyPoints(points, ...ends) {
  const [x, y, toX, toY] = ends.flatMap((end) => {
    const box = end.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  });
  const up = make("b", { className: "points", ariaHidden: true, textContent: `+${points}` });
  up.style.cssText = `left: ${x}px; top: ${y}px; --x: ${toX - x}px; --y: ${toY - y}px`;
  board.append(up);
  up.onanimationend = () => up.remove();
}

/* Celebrate a row that was laid. The words are on the page. */
export function celebrate() {
  const { earned, laid } = $("table").dataset;
  const row = laid && board.querySelector(`.table-row[data-numbers="${laid}"]`);
  if (row && !isStill()) rejoice(row, earned, board.querySelector("progress, .player-you .score"));
}
/* The cards of the row jump one after another, then its points fly. */
export function rejoice(row, points, score) {
  row.classList.add("glows");
  all(`.table-card[data-rows~="${row.dataset.row}"]`).forEach((card, at) =>
    card.animate([{}, { translate: "0 -1rem", scale: 1.2 }, {}], { duration: 400, delay: at * 90 }),
  );
  if (points > 0) flyPoints(points, row.querySelector(".ring"), score);
}
board.addEventListener("animationend", ({ animationName, target }) => {
  if (animationName === "glow") target.closest(".glows").classList.remove("glows");
  /* Otherwise sorting the hand would start the animation of a deal again. */
  if (animationName === "deal" && target.matches(":last-child"))
    target.parentElement.classList.remove("dealt");
});
