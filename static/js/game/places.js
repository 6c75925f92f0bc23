/* Shows where the chosen cards fit on the table, and the facts of a touched row. */
import { $, all } from "../page/dom.js";
import { rowsAt } from "./board.js";
import { hides, numbersOf } from "./rows.js";
import { withName } from "./table.js";

/* Show the open places where the chosen cards continue a row. */
export function showPlaces(choice) {
  const { hand } = choice;
  const own = numbersOf(hand);
  for (const end of all(".end")) {
    const row = end.closest(".table-row").dataset.numbers.split(" ").map(Number);
    const fits = end.dataset.numbers.split(" ").some((next) => {
      const edge = next > row[0] ? row.at(-1) : row[0];
      const jumps = own.map((number) => (number - edge) / (next - edge));
      return jumps.every((jump) => jump > 0 && jump <= hand.length && jump % 1 === 0);
    });
    end.classList.toggle("no-fit", !fits || hides(choice));
  }
  for (const row of all(".table-row"))
    row.classList.toggle("fits-here", own.length && row.querySelector(".end:not(.no-fit)"));
  const places = all(".end:not(.no-fit)");
  const under = places.flatMap(
    (end) => (hand.length || $(end.htmlFor).checked) && end.dataset.under?.split(" "),
  );
  for (const row of all(".table-row"))
    row.classList.toggle("makes-way", under.includes(row.dataset.row));
}

/* Mark the table cards that the chosen hand cards need: jokers that stand for a chosen number, and
   the card to cross if there is only one. */
export function showNeeded({ hand }, reached) {
  const own = numbersOf(hand);
  for (const box of all(".table-card input"))
    box.parentElement.classList.toggle(
      "takes-number",
      $("do-lay") &&
        ((/^[a-d]/.test(box.value) && own.includes(+box.dataset.number)) ||
          (reached.length < 2 && reached.includes(box))),
    );
}

/* A tapped row shows its facts, and so do the rows of a tapped card. */
export function showTouched() {
  const rows = [
    ...all(".table-card :checked").flatMap((box) => rowsAt(box.parentElement)),
    ...all(".row-tag :checked").map((box) => box.closest(".table-row")),
  ];
  for (const row of all(".table-row")) row.classList.toggle("touched", rows.includes(row));
  placeFacts(all(".row-facts").filter((facts) => facts.offsetWidth));
}
addEventListener("resize", showTouched);

/* Show facts near their row, where nothing cuts them off. Hide those that would cover a card or a
   name. */
const CLEAR = 4;
const ASIDE = 12;
function placeFacts(shown) {
  for (const facts of shown) facts.style.translate = facts.style.visibility = "";
  const boxOf = (one) => one.getBoundingClientRect();
  const table = boxOf($("table"));
  const taken = all(".row-name, .table-card").map(boxOf);
  for (const facts of shown) {
    const [bar, name] = withName(facts.closest(".table-row")).map(boxOf);
    const at = boxOf(facts);
    const { width, height } = at;
    const over = (left, top, box) =>
      Math.max(0, Math.min(left + width, box.right) - Math.max(left, box.left)) *
      Math.max(0, Math.min(top + height, box.bottom) - Math.max(top, box.top));
    const along = (low, high, size) => [low, high - size, low - size - CLEAR, high + CLEAR];
    const above = Math.min(bar.top, name.top) - height - CLEAR;
    const under = Math.max(bar.bottom, name.bottom) + CLEAR;
    const tried = [
      [at.left, at.top],
      ...along(bar.left, bar.right, width).flatMap((x) =>
        [...along(bar.top, bar.bottom, height), above, under].map((y) => [x, y]),
      ),
    ].map(([x, y]) => {
      const left = Math.max(table.left + ASIDE, Math.min(x, table.right - ASIDE - width));
      const top = Math.max(table.top + ASIDE, Math.min(y, table.bottom - ASIDE - height));
      const hidden = taken.reduce((sum, box) => sum + over(left, top, box), 0);
      return [9 * hidden + over(left, top, bar), left, top, hidden];
    });
    const [, left, top, hidden] = tried.reduce((best, one) => (one[0] < best[0] ? one : best));
    facts.style.translate = `${left - at.left}px ${top - at.top}px`;
    if (hidden > 1) facts.style.visibility = "hidden";
    else taken.push(boxOf(facts));
  }
}
