/* Putting a card down ends the turn. The card lies on the pile at once, with a button that takes it
   back; only after a moment does the page send the form. */
import { $, all } from "../page/dom.js";
import { board, flight, form, ghostOf, isStill, lieAt, pace, state } from "./board.js";
import { showTurn } from "./others.js";
import { readChoice } from "./rows.js";

const PAUSE = +board.dataset.hold;
const NORMAL = 1000; // the longest step of the others at normal speed, in ms
const ASKED = -1; // no timer: the page asks first about a joker, which fits nearly everywhere

function lock(closed) {
  $("held").hidden = !closed;
  board.classList.toggle("holding", closed);
  const lockParts = () => {
    for (const part of all(".felt, .hand-side, .actions")) part.inert = state.putDown;
    if (state.putDown) $("undo-discard").focus({ preventScroll: true });
  };
  // First the answer to the tap is painted; a question takes the next key.
  if (state.putDown > 0) requestAnimationFrame(() => setTimeout(lockParts));
  else lockParts();
}

function fly(card) {
  const dragged = board.querySelector(".dragged");
  const from = (dragged ?? card).getBoundingClientRect();
  const ghost = dragged ?? ghostOf(card, from);
  ghost.classList.add("down");
  ghost.style.transform = "";
  const piles = all(".piles > .pile .card");
  const to = (piles[1] ?? piles[0]).getBoundingClientRect();
  lieAt(ghost, to);
  $("held").style.cssText = `--x: ${to.x + to.width / 2}px; --y: ${to.y + to.height / 2}px`;
  board.append(ghost);
  card.classList.add("gone");
  if (!isStill()) ghost.animate(flight(from, to), { duration: 70, easing: "ease-out" });
}

/* In ms: at a slow speed three times as long as usual, at once a third. */
function pause() {
  if (!pace()) return PAUSE / 3;
  return pace() > NORMAL ? 3 * PAUSE : PAUSE;
}
function putDown({ dataset: words }, { parentElement: card, dataset: { number } }) {
  const box = $("held");
  const text = box.firstElementChild;
  text.textContent = number ? words.held.replace("{card}", number) : box.dataset.joker;
  box.classList.toggle("asks", !number);
  state.putDown = number ? setTimeout(send, pause()) : ASKED;
  lock(true);
  if (number) showTurn(1);
  if (number || board.querySelector(".dragged")) fly(card.closest(".card"));
  $("live").textContent = text.textContent;
}
function send() {
  state.putDown = 0;
  lock(false);
  board.classList.add("holding"); // until the answer
  form.requestSubmit($("do-discard"));
}
function undo() {
  if (state.putDown === ASKED) $("clear").click(); // so that the next card is chosen alone
  clearTimeout(state.putDown);
  state.putDown = 0;
  lock(false);
  showTurn(0);
  for (const ghost of all(".down")) ghost.remove();
  for (const card of all(".gone")) card.classList.remove("gone");
  $("do-discard").focus({ preventScroll: true });
}

board.addEventListener("click", (event) => {
  const press = event.target.closest("button");
  if (press?.id === "undo-discard") undo();
  if (press?.id === "sure") send();
  if (press?.id !== "do-discard" || !PAUSE) return;
  const { hand } = readChoice();
  if (hand.length === 1 && $("hand").children.length > 1) {
    // the last card ends the round
    event.preventDefault();
    putDown(press, hand[0]);
  }
});
addEventListener("pagehide", () => {
  if (state.putDown > 0) navigator.sendBeacon(form.action, new FormData(form, $("do-discard")));
});
