/* Cards of the hand can be dragged onto an open place or a card of the table, onto its free area,
   where a new row grows, or onto the piles, to put one down. A card to take can be dragged off its
   pile and dropped anywhere else. A drop chooses the cards and presses the same button as a tap
   would; taps and keys can do all of this too. */
import { $, all, on } from "../page/dom.js";
import { board, ghostOf, isStill, layAt, make, rowsAt, state, usable } from "./board.js";
import { fits, hides, readChoice, rowOf } from "./rows.js";

/* A press that moves this many px is a drag, not a tap. */
const DRAG_PX = 8;
/* An open place attracts cards that are less than this many px away. */
const ATTRACT_PX = 56;
/* The px between the left sides of cards dragged together. */
const SPREAD_PX = 18;
/* The table scrolls while a card is this near its edge, in px, and by this many px a frame. */
const SCROLL_ZONE_PX = 36;
const SCROLL_PX = 6;
/* A finger drags a card after holding it for this many ms; before that it scrolls the hand. */
const HOLD_MS = 150;
const boxOf = (card) => card.querySelector("input");

let press;
let drag;
let growing = false;

/* Choose exactly these cards and places, as taps would. */
function choose(boxes) {
  for (const box of all("#hand input, #table input")) box.checked = boxes.includes(box);
  boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
}
const lay = (boxes, end) => {
  choose(boxes);
  layAt(end);
};

/* Cards that are dropped on the free table lie there while they are chosen. */
function showGrowing() {
  const old = $("growing");
  const hand = readChoice().hand;
  growing &&= hand.length > 0 && Boolean($("do-lay"));
  board.classList.toggle("grows", growing);
  if (!growing) {
    old?.remove();
    return;
  }
  const row = old || make("div", { id: "growing", ariaHidden: true });
  const free = (rowOf(readChoice()) ?? []).filter(([, joker]) => joker);
  const value = (box) => +box.dataset.number || (free.shift()?.[0] ?? 999);
  const at = new Map(hand.map((box) => [box, value(box)]));
  hand.sort((a, b) => at.get(a) - at.get(b));
  const cards = hand.map((box) => copy(box.closest(".card")));
  while (cards.length < 3) cards.push(make("i"));
  row.replaceChildren(...cards);
  if (!old) board.querySelector(".felt").append(row);
}

function copy(card) {
  const twin = card.cloneNode(true);
  boxOf(twin).remove();
  twin.className = "card";
  twin.removeAttribute("data-card");
  return twin;
}

/* What the cards can be dropped on here: how they would lie there, and what a drop does. */
function dropTarget(x, y) {
  const { pile } = drag;
  const under = document.elementFromPoint(x, y);
  if (pile) return pile.contains(under) ? null : { element: $("hand"), drop: () => pile.click() };
  const inside = (box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  const piles = board.querySelector(".piles");
  if (usable($("do-discard")) && inside(piles.getBoundingClientRect())) {
    const drop = () => {
      choose([drag.box]);
      $("do-discard").click();
    };
    const at = piles.lastElementChild.querySelector(".card") || piles;
    return { element: piles, at, drop, one: true };
  }
  if (!$("do-lay")) return null;
  let near;
  let least = ATTRACT_PX;
  for (const end of all(".end.open")) {
    const box = end.getBoundingClientRect();
    const away = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2);
    if (away < least && inside($("table").getBoundingClientRect())) {
      near = end;
      least = away;
    }
  }
  if (near)
    return { element: near, at: near, drop: () => lay(drag.rows.get($(near.htmlFor)), near) };
  const wrong = all(".end").find((end) => inside(end.getBoundingClientRect()));
  const place =
    under?.closest("#table .table-card, #table .table-row") ?? wrong?.closest(".table-row");
  if (place) return placeTarget(place);
  return under?.closest("#table, #growing") ? { element: $("table"), drop: dropOnTable } : null;
}

/* A drop on a row or a card lays the cards there if they make a row; otherwise it only chooses the
   place with them. */
function placeTarget(place) {
  const isCard = place.matches(".table-card");
  const at = isCard ? place : place.querySelector(".row-name");
  const rows = isCard ? rowsAt(place) : [place];
  const boxes = rows.map((row) => row.querySelector(".row-tag input"));
  if (isCard) boxes.push(boxOf(place));
  const own = [...new Set([...drag.boxes, ...drag.before])];
  for (const hand of [drag.boxes, own]) {
    const fitting = boxes.find((box) => fits([...hand, box]));
    if (fitting) return { element: at, drop: () => lay([...hand, fitting]) };
  }
  const drop = () => {
    sendBack();
    choose([...own, boxes.at(-1)]);
  };
  return { element: at, drop };
}

/* A drop on the free table lays several cards if they make a row; a single card joins those that
   lie there. */
function dropOnTable() {
  const isRow = drag.boxes.length > 1 && fits(drag.boxes);
  if (isRow) {
    lay(drag.boxes);
    return;
  }
  const boxes = [...new Set([...drag.before, drag.box])];
  growing = true;
  sendBack();
  choose(boxes);
}

/* Open the places where these cards make a row longer, each with what is chosen for it. */
function openPlaces() {
  const { numbers } = readChoice(drag.boxes);
  const low = numbers[0];
  const high = numbers.at(-1);
  for (const end of all(".end")) {
    const box = $(end.htmlFor);
    const row = end.closest(".table-row");
    const own = row.dataset.numbers.split(" ").map(Number);
    const isFirst = parseInt(end.dataset.numbers, 10) < own[0];
    const side = !numbers.length || (isFirst ? low < own[0] : high > own.at(-1));
    const boxes = [...drag.boxes, box];
    const isOpen = side && fits(boxes) && !hides({ hand: drag.boxes, places: 0 });
    end.classList.toggle("open", Boolean(isOpen));
    if (isOpen) drag.rows.set(box, boxes);
  }
}

function draggedCopy(card) {
  const from = card.getBoundingClientRect();
  const ghost = ghostOf(card, from);
  ghost.classList.add("dragged");
  ghost.from = from;
  return ghost;
}

function lift() {
  const { card, pile } = press;
  const box = boxOf(card);
  const before = all("#hand :checked");
  const others = box?.checked ? before.filter((other) => other !== box) : [];
  const boxes = pile ? [] : [box, ...others];
  drag = { ...press, box, boxes, before, rows: new Map(), seen: [press.x, press.y] };
  const cards = pile ? [card] : boxes.map((one) => one.closest(".card"));
  drag.ghosts = cards.map(draggedCopy);
  for (const one of cards) one.classList.add("lifted");
  board.append(...[...drag.ghosts].reverse());
  board.classList.add("dragging");
  requestAnimationFrame(scrollAtEdge);
  openPlaces();
}

/* Scroll the table while a card is held near its edge and no place attracts the card. */
function scrollAtEdge() {
  if (!drag || drag.pile) return;
  const [x, y] = drag.seen;
  const table = $("table");
  const box = table.getBoundingClientRect();
  const speed = (at, first, last) =>
    SCROLL_PX * ((at > last - SCROLL_ZONE_PX) - (at < first + SCROLL_ZONE_PX));
  const before = table.scrollLeft + table.scrollTop;
  if (!drag.target?.at && x > box.left && x < box.right && y > box.top && y < box.bottom) {
    table.scrollBy(speed(x, box.left, box.right), speed(y, box.top, box.bottom));
    if (table.scrollLeft + table.scrollTop !== before) move(x, y);
  }
  requestAnimationFrame(scrollAtEdge);
}

function move(x, y) {
  drag.seen = [x, y];
  const target = dropTarget(x, y);
  const ghosts = drag.ghosts;
  const own = ghosts[0].from;
  const at = target?.at?.getBoundingClientRect();
  drag.target?.element.classList.remove("snap");
  drag.target = target;
  target?.element.classList.add("snap");
  ghosts.forEach((ghost, i) => {
    const wide = at && target.at.matches(".card, .end") ? at.width / ghost.from.width : 1;
    const left = at ? at.left + (at.width - ghost.from.width * wide) / 2 : x - drag.x + own.left;
    const top = at
      ? at.top + (at.height - ghost.from.height * wide) / 2
      : y - drag.y + own.top;
    const aside = target?.one && i ? null : i * SPREAD_PX;
    ghost.hidden = aside === null;
    const shift = [left + aside - ghost.from.left, top - ghost.from.top];
    ghost.style.transform = `translate(${shift[0]}px, ${shift[1]}px) scale(${Math.max(wide, 0.5)})`;
  });
}

/* Send the dragged cards back to the hand. */
function sendBack() {
  for (const ghost of all(".dragged")) {
    if (isStill()) {
      ghost.remove();
      continue;
    }
    const home = ghost.animate({ transform: "none" }, { duration: 180, easing: "ease-out" });
    home.onfinish = home.oncancel = () => ghost.remove();
  }
  all(".lifted").forEach((card) => card.classList.remove("lifted"));
  finish();
}

function endPress() {
  press?.card.classList.remove("held");
  press = null;
}

function finish() {
  drag?.target?.element.classList.remove("snap");
  all(".end.open").forEach((end) => end.classList.remove("open"));
  board.classList.remove("dragging");
  drag = null;
  endPress();
}

board.addEventListener("pointerdown", (event) => {
  const pile = event.target.closest(".pile-now");
  const card = pile ? pile.querySelector(".card") : event.target.closest("#hand .card");
  const isFree = pile || usable($("do-lay")) || usable($("do-discard"));
  if (!card || !event.isPrimary || event.button || drag || !isFree) return;
  const begun = { card, pile, x: event.clientX, y: event.clientY, id: event.pointerId };
  press = begun;
  setTimeout(() => {
    begun.ready = true;
    card.classList.toggle("held", press === begun && !pile && event.pointerType !== "mouse");
  }, HOLD_MS);
});
/* A long hand on a phone scrolls under the finger; a card that was first held for a moment is
   dragged. */
board.addEventListener(
  "touchmove",
  (event) => {
    if (press?.ready) event.preventDefault();
  },
  { passive: false },
);
on("pointermove", (event) => {
  if (event.pointerId !== press?.id) return;
  const { clientX: x, clientY: y } = event;
  if (!drag && Math.hypot(x - press.x, y - press.y) > DRAG_PX) lift();
  if (drag) move(x, y);
});
on("pointerup", (event) => {
  if (event.pointerId !== press?.id) return;
  if (!drag) {
    endPress();
    return;
  }
  state.dropped = true;
  move(event.clientX, event.clientY);
  const { target } = drag;
  target?.drop();
  /* The cards lie where they were dropped until the server answers. */
  if (!drag) return;
  if (target && (board.querySelector(".sent") || board.matches(".holding"))) finish();
  else sendBack();
});
on("pointercancel", () => {
  if (drag) sendBack();
  endPress();
});
on("keydown", ({ key }) => {
  if (drag && key === "Escape") sendBack();
});
for (const name of ["selectstart", "dragstart"])
  on(name, (event) => {
    if (press) event.preventDefault();
  });
/* The click that ends a drag chooses no card. */
addEventListener(
  "click",
  (event) => {
    if (event.isTrusted && state.dropped) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);

/* A tap on the free table lays a finished row, too. */
board.addEventListener("click", ({ target }) => {
  if (target.closest("#undo-discard")) sendBack();
  const free = target.closest("#table, #growing") && !target.closest("label, a, button");
  if (free && board.matches(".fits") && usable($("do-lay"))) $("do-lay").click();
});

board.addEventListener("change", showGrowing);
on("htmx:before:swap", () => {
  growing = false;
  board.classList.remove("grows");
  finish();
});
on("htmx:finally:request", () => {
  all(".dragged").forEach((ghost) => ghost.remove());
  all(".lifted").forEach((card) => card.classList.remove("lifted"));
});
