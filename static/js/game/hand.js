/* Sorts the hand, and clears the choice. */
import { $ } from "../page/dom.js";
import { board, state, unchoose } from "./board.js";
import { nameOf } from "./rows.js";

export function sortHand() {
  const button = $("sort");
  const hand = $("hand");
  if (!button || !hand) return;
  button.hidden = false;
  button.textContent = button.dataset[state.byTable ? "number" : "table"];
  const value = (item) => +item.querySelector("input").dataset.number || 999;
  const cards = [...hand.children];
  const groups = [];
  /* The cards of the times table that has most of them come first; then the same for the cards that
     are left. */
  let rest = state.byTable ? cards.filter((card) => value(card) < 999) : [];
  for (;;) {
    const [own, table] = button.dataset.tables
      .split(" ")
      .map((table) => [rest.filter((card) => value(card) % table === 0), table])
      .sort(([a], [b]) => b.length - a.length)[0];
    if (own.length < 2) break;
    groups.push([own, table]);
    rest = rest.filter((card) => !own.includes(card));
  }
  const last = cards.filter((card) => !groups.flat(2).includes(card));
  const sorted = [...groups.map(([own]) => own), last].flatMap((some) =>
    some.sort((a, b) => value(a) - value(b)),
  );
  for (const card of cards) delete card.dataset.group;
  for (const [[first, ...others], table] of groups) {
    first.dataset.group = `${nameOf(["table", table])}?`; // whether it is a row is the child's find
    first.style.setProperty("--others", others.length);
  }
  if (sorted.some((card, i) => card !== cards[i])) hand.append(...sorted);
}

board.addEventListener("click", ({ target }) => {
  if (target.closest("#sort")) {
    state.byTable = !state.byTable;
    history.replaceState({ byTable: state.byTable }, "");
    sortHand();
  }
  if (!target.closest("#clear")) return;
  unchoose("#hand :checked, #table :checked");
  $("hand").dispatchEvent(new Event("change", { bubbles: true }));
  board.querySelector("#hand input")?.focus({ preventScroll: true });
});
