/* The page of a game, from a tap to the board in the server's answer. The server decides, and every
   form also works without this file. The built site serves it and its parts as one file. */
import { $, all, on } from "./page/dom.js";
import { board, form, layAt, state, usable } from "./game/board.js";
import { choiceChanged, choosePlace, showChoice } from "./game/choice.js";
import { sortHand } from "./game/hand.js";
import { celebrate, glide, movedCards, rememberCards } from "./game/motion.js";
import { showSteps } from "./game/others.js";
import "./game/put-down.js";
import { showTouched } from "./game/places.js";
import { canLay, reachable, readChoice } from "./game/rows.js";
import { restoreView } from "./game/table.js";
import "./game/drag.js";

/* A second tap at the same place soon after the first does nothing, because it was meant for what
   was there before. At the end of a round, where a tap leads away, this holds for longer. A tap on
   a question that nobody can have read yet does nothing either. */
const TAP_MS = +board.dataset.tap;
const NEAR_PX = 48;
const root = document.documentElement;
let pressedAt = -TAP_MS;
let drawnAt = -TAP_MS;
let lastPlace = [0, 0];
let finger = lastPlace;
for (const kind of ["pointerdown", "keydown"])
  addEventListener(
    kind,
    ({ clientX, clientY }) => {
      const byKeys = kind === "keydown";
      if (!byKeys) finger = [clientX, clientY];
      // A focus that a script sets is drawn only for somebody who uses the keyboard.
      root.classList.toggle("by-keys", byKeys);
      state.dropped = false;
    },
    true,
  );
board.addEventListener(
  "click",
  (event) => {
    if (event.isTrusted) form.elements.at?.remove();
    const { target, timeStamp } = event;
    const asks = target.closest(".choices-panel");
    if (!asks && !target.closest("[type=submit], .actions a, #held button")) return;
    const [x, y] = lastPlace;
    const isNear = Math.hypot(finger[0] - x, finger[1] - y) < NEAR_PX;
    const pause = target.closest(".over") ? 3 * TAP_MS : TAP_MS;
    if (
      (asks && timeStamp - drawnAt < TAP_MS) ||
      (isNear && timeStamp - Math.max(pressedAt, drawnAt) < pause)
    ) {
      event.preventDefault();
      event.stopPropagation();
    } else [pressedAt, lastPlace] = [timeStamp, finger];
  },
  true,
);

let lastRow = ""; // what the button that ends the turn last laid
board.addEventListener("click", (event) => {
  const press = event.target.closest("button");
  if (press && !usable(press)) event.preventDefault();
  if (press?.id === "do-lay") choosePlace();
  /* A picked row is laid before the turn ends; only once, because the server may refuse it. */
  const picked = String(readChoice().numbers);
  if (press?.id === "do-end" && $("do-lay") && canLay() && picked !== lastRow) {
    lastRow = picked;
    event.preventDefault();
    $("do-lay").click();
  }
  /* A tap on an open place of a row lays the chosen cards there. */
  const end = event.target.closest(".end");
  if (end && $("do-lay") && board.querySelector("#hand :checked")) {
    event.preventDefault();
    $(end.htmlFor).checked = true;
    choiceChanged();
    layAt(end);
  }
});
/* Enter on a place where the chosen cards fit lays them there, and on a chosen card it lays them
   where they fit. Elsewhere it chooses, as a tap does: it takes no card and answers no offer. */
board.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (key !== "Enter" || !target.matches("[type=checkbox]")) return;
  event.preventDefault();
  const lay = $("do-lay");
  const place = lay && target.closest(".fits-here, .takes-number");
  const end = place?.querySelector(".end:not(.no-fit)");
  const { checked } = target;
  if (place) target.checked = true;
  const choice = readChoice();
  if (end) {
    choiceChanged();
    layAt(end);
  } else if (lay && target.checked && (canLay(choice) || reachable(choice).length))
    lay.click();
  else {
    target.checked = checked;
    target.click();
  }
});

/* Cards that are probably laid, put down or taken look so until the answer. */
on("submit", ({ submitter }) => {
  const own = readChoice().hand.map((box) => box.closest(".card"));
  const act = submitter?.value;
  const taken = [submitter?.querySelector("[data-card]")].filter(Boolean);
  const isGoing = act === "lay" ? canLay() : act === "discard" && own.length === 1;
  for (const card of isGoing ? own : taken) card.classList.add("going");
});
/* What a tap shows is painted before the answer changes the page. */
on("htmx:before:request", ({ detail: { ctx } }) => {
  const { fetch } = ctx;
  const painted = new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
  });
  ctx.fetch = async (...request) => {
    const answer = await fetch(...request);
    await painted;
    return answer;
  };
});
on("htmx:finally:request", () => {
  for (const card of all(".going")) card.classList.remove("going");
  board.classList.remove("holding");
});

let focused = ""; // the id of what had the focus before the server's answer
on("htmx:before:swap", ({ detail: { tasks } }) => {
  rememberCards();
  board.classList.remove("holding");
  /* Nothing is measured between here and the swap, so the board is laid out only once. */
  const { activeElement } = document;
  const { fragment } = tasks.find(({ type }) => type === "main");
  focused = "";
  if (board.contains(activeElement)) {
    // After a tap on a hint, the next Tab leads to its button and not out of the page.
    const byTap = activeElement.id === "do-hint" && !root.classList.contains("by-keys");
    focused = byTap ? "told" : activeElement.id;
    activeElement.blur();
  }
  root.dataset.now = fragment.querySelector("[data-now]").dataset.now;
});
on("htmx:after:swap", () => {
  form.elements.at?.remove();
  showFresh();
  // All is measured before anything moves.
  const cards = movedCards();
  showSteps();
  glide(cards);
  focusNext();
  celebrate();
});

/* A finished picture that the child has closed stays closed, even if the page is loaded again. */
const round = () => `${location.pathname} ${form.elements.seen.value}`;

function showFresh() {
  if (sessionStorage.closed === round())
    board.querySelector(".finished")?.removeAttribute("open");
  state.isChanged = false;
  drawnAt = performance.now();
  board.classList.remove("changed");
  sortHand();
  showChoice();
  waitForHint();
  restoreView();
  cutEnd();
  if (board.querySelector(".choices-panel")) showTouched();
}

/* Where the text of an ended round has to scroll, it is cut between two of its parts. */
const ARROW_PX = 20;
function cutEnd() {
  const text = board.querySelector(".over-text");
  if (!text) return;
  text.style.maxHeight = "";
  if (!text.classList.toggle("goes-on", text.scrollHeight > text.clientHeight)) return;
  const { top, height } = text.getBoundingClientRect();
  const parts = [...text.querySelectorAll("h2, p, tr, li, .over-found")];
  const ends = parts.map((part) => part.getBoundingClientRect().bottom - top + ARROW_PX);
  text.style.maxHeight = `${Math.max(...ends.filter((end) => end <= height))}px`;
  text.onscroll = () => text.classList.remove("goes-on");
}
addEventListener("resize", cutEnd);

/* A hint should be read before the next one is asked for; the server waits just as long. The button
   fills meanwhile. */
function waitForHint() {
  const button = board.querySelector("[data-wait]");
  if (!button) return;
  button.setAttribute("aria-disabled", "true");
  const wait = +button.dataset.wait;
  button.animate({ backgroundSize: ["0 100%", "100% 100%"] }, wait);
  setTimeout(() => button.removeAttribute("aria-disabled"), wait);
}

/* If the pressed control is gone, the focus goes to the next thing to do. */
function focusNext() {
  // A question comes first, also for a child who pressed Enter on a card.
  (board.querySelector("button[name=play]") ?? $(focused))?.focus({ preventScroll: true });
  if (document.activeElement !== document.body) return;
  ".finished summary,#over .action,#do-pass,#do-draw-closed,#hand .lit input,#hand input"
    .split(",")
    .map((selector) => board.querySelector(selector))
    .find(Boolean)
    ?.focus({ preventScroll: true });
}
board.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches(".finished") && !target.open) {
      sessionStorage.closed = round();
      board.querySelector("#over .action")?.focus();
    }
    // The server's own `open` has a value: what it opens does not scroll the page.
    if (target.matches('.nearly[open=""]')) target.scrollIntoView({ block: "nearest" });
  },
  true,
);

root.classList.toggle("by-keys", sessionStorage.tapped < 1);
showFresh();
focusNext();
