/* Scrolls the table, and shows it larger. */
import { $, all } from "../page/dom.js";
import { board, rowsAt, state } from "./board.js";

/* In px: a card narrower than this can neither be read nor tapped. */
const SMALL = 28;
const MARGIN = 8;
const SEEN = 24;
let closer = document.documentElement.matches(".larger"); // what the child has chosen

/* Where an element lies on the page once nothing moves any more. */
function placeOf(one) {
  const grid = one.closest(".table-grid");
  let { left, top } = grid.getBoundingClientRect();
  for (let at = one; at && at !== grid; at = at.offsetParent) {
    left += at.offsetLeft;
    top += at.offsetTop;
  }
  return { left, top, right: left + one.offsetWidth, bottom: top + one.offsetHeight };
}
const feltBox = () => $("table").getBoundingClientRect();
/* Whether enough of a card is seen to read its number, or all of a place. */
function inSight(one) {
  const box = feltBox();
  const own = placeOf(one);
  const least = one.matches(".end") ? one.offsetHeight - 1 : SEEN;
  const seen = (low, high) => Math.min(own[high], box[high]) - Math.max(own[low], box[low]) > least;
  return seen("left", "right") && seen("top", "bottom");
}
/* Bring in the first of these, unless one of them is in sight. */
export function showSome(parts) {
  if (parts.length && !parts.some(inSight)) bringLaid(parts.slice(0, 1));
}
/* The styles need a class: with `:has`, they would search the page at every tap. */
export function showZoom() {
  board.classList.toggle("looks-closer", Boolean($("closer")?.checked));
}

/* Scroll the table until these elements are in view or, if they do not fit, until their top left
   corner is. The end of a round shows all cards. */
function bringIn(shown) {
  if (board.querySelector(".over")) return;
  const box = feltBox();
  const boxes = shown.map(placeOf);
  const by = (low, high) => {
    const before = Math.min(...boxes.map((one) => one[low])) - MARGIN - box[low];
    const after = Math.max(...boxes.map((one) => one[high])) + MARGIN - box[high];
    return before < 0 ? before : Math.max(0, Math.min(before, after));
  };
  $("table").scrollBy(by("left", "right"), by("top", "bottom"));
}
export const withName = (row) => [row.querySelector(".bar"), row.querySelector(".row-name")];
const rowsWith = (one) => (one.dataset.rows ? rowsAt(one) : [one.closest(".table-row")]);
/* Bring in these cards, with their rows and the names of these; then the cards again, so that at
   least they are in sight. */
function bringLaid(cards) {
  bringIn([...cards, ...cards.flatMap(rowsWith).flatMap(withName)]);
  bringIn(cards);
  if (!cards.some(inSight)) bringIn(cards.slice(-1));
}
const stepOf = (card) => card.className.match(/\bs\d+/)[0];
/* Bring in what the others lay when it lands. */
board.addEventListener("animationstart", ({ animationName, target }) => {
  if (animationName === "land") bringLaid(all(`.table-card.new.${stepOf(target)}`));
});

/* The cards lie where they were, unless a lit or new card, or every card, is out of sight. Small
   cards are enlarged: the child sees the whole table until the next answer. */
export function restoreView() {
  if ($("closer")) {
    board.classList.remove("looks-closer");
    const isSmall = board.querySelector(".table-card").offsetWidth < SMALL;
    $("closer").checked = !board.querySelector(".over") && (closer || isSmall);
  }
  showZoom();
  stayInPlace();
  const mine = all("#table [data-card]").filter(
    ({ dataset }) => state.cards.get(dataset.card)?.[1] === "hand",
  );
  const asked = board.querySelector(".choices-panel") ? all(".touched .bar") : [];
  const parts = [all("#table .lit"), all(".table-card.new"), mine].find((each) => each.length);
  if (asked.length) bringIn(asked);
  else if (parts) bringLaid(parts);
  showSome(all(".table-card"));
}

/* Scroll by as much as most cards that lay on the table have moved. */
function stayInPlace() {
  const middle = (side) => {
    const moves = all(".table-card").flatMap((card) => {
      const [from, at] = state.cards.get(card.dataset.card) ?? [];
      return at === "table" ? placeOf(card)[side] - from[side] : [];
    });
    return moves.sort((a, b) => a - b)[moves.length >> 1];
  };
  $("table").scrollBy(middle("left") ?? 0, middle("top") ?? 0);
}

function lookCloser(place) {
  showZoom();
  place?.scrollIntoView({ block: "center", inline: "center" });
}
/* Look closer at what was laid last. */
board.addEventListener("change", ({ target }) => {
  if (target.id !== "closer") return;
  closer = target.checked;
  lookCloser(board.querySelector(".table-card.new") ?? board.querySelector(".table-card"));
});

/* Where cards are too small for a finger, a tap looks closer until the next answer. */
board.addEventListener(
  "click",
  (event) => {
    const place =
      event.detail && event.target.closest("#table :is(.table-card, .row-tag, .end:not(.edge))");
    const near = place && place.closest(".island").querySelector(".table-card");
    if (!near || near.offsetWidth >= SMALL || event.pointerType === "mouse" || !$("closer")) return;
    event.preventDefault();
    event.stopPropagation();
    $("closer").checked = true;
    lookCloser(place);
  },
  true,
);
