/* Scrolls the table, and shows it larger or as a whole. */
import { $, all, board, rowsAt, state } from "./board.js";

/* In px: a finger misses a card narrower than this. */
const SMALL = 36;
const MARGIN = 8;
const SEEN = 24;

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
/* Whether enough of a card is seen to read its number. */
function inSight(card) {
  const box = feltBox();
  const own = placeOf(card);
  const seen = (low, high) => Math.min(own[high], box[high]) - Math.max(own[low], box[low]) > SEEN;
  return seen("left", "right") && seen("top", "bottom");
}
/* If no card is in sight, bring in the nearest one. */
function showSomeCard() {
  const cards = all(".table-card");
  if (!cards.length || cards.some(inSight)) return;
  const box = feltBox();
  const away = (card) => {
    const own = placeOf(card);
    return Math.abs(own.left - box.left) + Math.abs(own.top - box.top);
  };
  bringLaid(cards.sort((a, b) => away(a) - away(b)).slice(0, 1));
}
/* Where all cards are in sight across the whole board, the whole table would show no more. */
function showAllSeen() {
  const { left, right, top, bottom } = feltBox();
  const isWide = board.querySelector(".table-grid")?.offsetWidth > board.clientWidth - 2 * MARGIN;
  board.classList.toggle(
    "all-seen",
    isWide &&
      all(".table-card").every((card) => {
        const own = card.getBoundingClientRect();
        return own.left >= left && own.right <= right && own.top >= top && own.bottom <= bottom;
      }),
  );
}

/* The styles need classes: with `:has`, they would search the page at every tap. */
export function showZoom() {
  const looksWhole = board.matches(".looks-whole");
  const isWhole = Boolean($("whole")?.checked);
  if (isWhole && !looksWhole) state.scrolled = scrolled();
  for (const id of ["whole", "closer"])
    board.classList.toggle(`looks-${id}`, Boolean($(id)?.checked));
  if (!looksWhole || isWhole) return;
  scrollBack();
  showSomeCard();
}
/* The whole table does not scroll, so leaving it scrolls the table as before. */
const scrolled = () => [$("table").scrollLeft, $("table").scrollTop];
const scrollBack = () => $("table").scrollTo(...state.scrolled);

export function keepView() {
  if (!board.matches(".looks-whole")) state.scrolled = scrolled();
  state.zoomed = all(".zoom :checked").map(({ id }) => id);
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
/* Bring in what was laid, with its rows and their names; then the cards again, so that at least
   they are in sight. */
function bringLaid(cards) {
  bringIn([...cards, ...cards.flatMap(rowsAt).flatMap(withName)]);
  bringIn(cards);
  if (!cards.some(inSight)) bringIn(cards.slice(-1));
}
const stepOf = (card) => card.className.match(/\bs\d+/)[0];
/* Bring in what the others lay when it lands. */
board.addEventListener("animationstart", ({ animationName, target }) => {
  if (animationName === "land") bringLaid(all(`.table-card.new.${stepOf(target)}`));
});

/* The table stays scrolled as it was, unless a lit or new card, or every card, is out of sight. */
export function restoreView() {
  const over = board.querySelector(".over");
  for (const zoom of all(".zoom input")) zoom.checked = !over && state.zoomed.includes(zoom.id);
  showZoom();
  if (over) state.scrolled = [0, 0];
  scrollBack();
  const fresh = all(".table-card.new");
  const lit = board.querySelector(".table-card.lit");
  const { laid } = $("table").dataset;
  const own = laid && board.querySelector(`.table-row[data-numbers="${laid}"]`);
  const mine = all("#table [data-card]").filter(
    ({ dataset }) => state.cards.get(dataset.card)?.[1] === "hand",
  );
  const asked = board.querySelector(".choices-panel") ? all(".touched .bar") : [];
  if (asked.length) bringIn(asked);
  else if (lit) bringIn([lit]);
  else if (fresh.length) bringLaid(fresh);
  else if (own) [withName(own), mine].forEach(bringIn);
  showSomeCard();
  showAllSeen();
}
addEventListener("resize", showAllSeen);

/* On the whole table, and where cards are too small for a finger, a tap zooms in on its place. */
board.addEventListener(
  "click",
  (event) => {
    const place =
      event.detail && event.target.closest("#table :is(.table-card, .row-tag, .end:not(.edge))");
    const near = place && place.closest(".island").querySelector(".table-card");
    if (
      !near ||
      (!$("whole").checked && (near.offsetWidth >= SMALL || event.pointerType === "mouse"))
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    $("whole").checked = false;
    showZoom();
    if (near.offsetWidth < SMALL) $("closer").checked = true;
    showZoom();
    place.scrollIntoView({ block: "center", inline: "center" });
  },
  true,
);
