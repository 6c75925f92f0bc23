/* The table scrolls and can be looked at closer or as a whole. */
import { $, all, board, state } from "./board.js";

/* A finger does not hit a card narrower than this. */
const SMALL = 36;

export function inSight(card) {
  const box = $("table").getBoundingClientRect(), own = card.getBoundingClientRect();
  return own.right > box.left && own.left < box.right && own.bottom > box.top && own.top < box.bottom;
}

/* The styles are told, because they would look for it slowly at every tap (`:has`). */
export function showZoom() {
  for (const id of ["whole", "closer"]) board.classList.toggle(`looks-${id}`, Boolean($(id)?.checked));
}

export function keepView() {
  const table = $("table");
  if (table) state.scrolled = [table.scrollLeft, table.scrollTop];
  state.zoomed = all(".zoom :checked").map(({ id }) => id);
}

/* The table stays scrolled as it was, unless a lit or new card, or everything, is out of sight. */
export function restoreView() {
  const table = $("table");
  if (!table) return;
  const over = board.querySelector(".over");
  for (const zoom of all(".zoom input")) zoom.checked = !over && state.zoomed.includes(zoom.id);
  showZoom();
  [table.scrollLeft, table.scrollTop] = state.scrolled;
  const cards = all(".table-card");
  const { laid } = table.dataset, own = laid && board.querySelector(`.table-row[data-numbers="${laid}"] .bar`);
  const news = board.querySelector(".table-card.lit") || board.querySelector(".new") || own || (cards.some(inSight) ? null : cards[0]);
  news?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/* On the whole table, and where cards are too small for a finger, a tap zooms in on its place. */
board.addEventListener("click", (event) => {
  const place = event.detail && event.target.closest("#table :is(.table-card, .row-tag, .end:not(.edge))");
  const near = place && place.closest(".island").querySelector(".table-card");
  if (!near || !$("whole").checked && (near.offsetWidth >= SMALL || event.pointerType === "mouse")) return;
  event.preventDefault();
  event.stopPropagation();
  $("whole").checked = false;
  showZoom();
  if (near.offsetWidth < SMALL) $("closer").checked = true;
  showZoom();
  place.scrollIntoView({ block: "center", inline: "center" });
}, true);
