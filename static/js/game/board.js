/* The board, and what its parts share. */
import { $, all } from "../page/dom.js";

export const board = $("board");
export const form = $("play");
export const make = (tag, values) => Object.assign(document.createElement(tag), values);

export const state = {
  // How the hand is sorted. It is kept only here, because others may use the computer next.
  byTable: Boolean(history.state?.byTable),
  isChanged: false, // whether the choice has changed since the server's answer
  dropped: false, // whether the last press ended a drag
  putDown: 0, // the timer while a card that was put down can be taken back
  cards: new Map(), // where each card was before the server's answer
};

/* Lay the chosen cards, at this open place of the table if the child pointed at one. */
export function layAt(end) {
  form.elements.at?.remove();
  const [number] = end?.dataset.numbers.split(" ") ?? [];
  // until the answer or another tap, for a request that is sent again
  if (end) form.append(make("input", { type: "hidden", name: "at", value: number }));
  $("do-lay").click();
}

/* Whether nothing may move, as the device or the class has set. */
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const isStill = () => reducedMotion.matches || document.documentElement.matches(".quiet");

/* How long a step of the other players lasts, in ms. */
export const pace = () => parseFloat(getComputedStyle(board).getPropertyValue("--pace")) * 1000;

/* Whether a button can be used. */
export const usable = (button) => button && button.getAttribute("aria-disabled") !== "true";

export const unchoose = (boxes) => all(boxes).forEach((box) => (box.checked = false));

export const rowsAt = (card) =>
  card.dataset.rows.split(" ").map((row) => board.querySelector(`[data-row="${row}"]`));

/* The keyframes of a card's way from one box to another. */
export function flight(from, to, seat = 0) {
  const scale = [from.width / to.width, from.height / to.height];
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${scale})`;
  const transformOrigin = "0 0";
  return [{ opacity: +!seat, transformOrigin, transform: start }, { transformOrigin }];
}

/* A copy of a card that lies over the page. */
export function ghostOf(card, box) {
  const ghost = card.cloneNode(true);
  ghost.querySelector("input")?.remove();
  ghost.className = "card ghost";
  lieAt(ghost, box);
  return ghost;
}
export function lieAt(ghost, box) {
  for (const side of ["left", "top", "width", "height"]) ghost.style[side] = `${box[side]}px`;
}
