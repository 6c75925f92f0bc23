/* The board, and what the parts of the page share. */
export const board = document.getElementById("board");
export const form = document.getElementById("play");
export const make = (tag, values) => Object.assign(document.createElement(tag), values);
export const $ = (id) => document.getElementById(id);
export const all = (selector) => [...board.querySelectorAll(selector)];

export const state = {
  // How the hand is sorted; nothing else of a shared computer may keep it.
  byTable: Boolean(history.state?.byTable),
  isChanged: false, // since the server's answer, whose refusal should be read first
  putDown: 0, // the timer of a card that can still be taken back
  focused: "", // what had the focus before the server's answer, by its id
  scrolled: [0, 0],
  zoomed: [],
  cards: new Map(), // where each card was before the server's answer
};

/* Whether nothing may move: the reader or the class wants it so. */
const wish = matchMedia("(prefers-reduced-motion: reduce)");
export const isStill = () => wish.matches || document.documentElement.matches(".quiet");

/* How long a step of the others lasts, in ms. */
export const pace = () => parseFloat(getComputedStyle(board).getPropertyValue("--pace")) * 1000;

/* Whether a button can be used. */
export const can = (button) => button && button.getAttribute("aria-disabled") !== "true";

export const rowsAt = (card) =>
  card.dataset.rows.split(" ").map((row) => board.querySelector(`[data-row="${row}"]`));

/* How a card comes from one place to another. */
export function flight(from, to, by = 0) {
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
  return [{ opacity: +!by, transformOrigin: "0 0", transform: start }, { transformOrigin: "0 0" }];
}

/* A copy of a card that lies over the page. */
export function ghostOf(card, { left, top, width }) {
  const ghost = card.cloneNode(true);
  ghost.querySelector("input")?.remove();
  ghost.className = "card ghost";
  lieAt(ghost, { left, top, width });
  return ghost;
}
export function lieAt(ghost, { left, top, width }) {
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
}
