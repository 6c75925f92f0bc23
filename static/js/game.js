/* The page of a game: from a tap to the board that the server answers with. The server judges;
   every form also works without this file, whose parts the built site serves as one. */
import { $, all, board, can, form, make, state } from "./game/board.js";
import { choiceChanged, choosePlace, showChoice } from "./game/choice.js";
import { sortHand } from "./game/hand.js";
import { celebrate, glide, movedCards, rememberCards } from "./game/motion.js";
import { showSteps } from "./game/others.js";
import "./game/put-down.js";
import { showTouched } from "./game/places.js";
import { chosen, lays, reach } from "./game/rows.js";
import { keepView, restoreView } from "./game/table.js";
import "./game/drag.js";

/* A second tap at the same place right away was meant for what was there before; at the end of a
   round, which leads away, this holds for longer. So was any tap on a question that nobody can have
   read yet. */
const SECOND = +board.dataset.tap;
const NEAR = 48;
let pressed = -SECOND;
let drawn = -SECOND;
let at = [0, 0];
let finger = at;
addEventListener(
  "pointerdown",
  ({ clientX, clientY }) => {
    finger = [clientX, clientY];
  },
  true,
);
board.addEventListener(
  "click",
  (event) => {
    const { target, timeStamp } = event;
    const asks = target.closest(".choices-panel");
    if (!asks && !target.closest("[type=submit], .actions a, #held button")) return;
    const isNear = Math.hypot(finger[0] - at[0], finger[1] - at[1]) < NEAR;
    const moment = target.closest(".over") ? 3 * SECOND : SECOND;
    if (
      (asks && timeStamp - drawn < SECOND) ||
      (isNear && timeStamp - Math.max(pressed, drawn) < moment)
    ) {
      event.preventDefault();
      event.stopPropagation();
    } else [pressed, at] = [timeStamp, finger];
  },
  true,
);

/* Lay the chosen cards at the open place of this number. */
function layAt(number) {
  const at = make("input", { type: "hidden", name: "at", value: number.split(" ")[0] });
  form.append(at); // until the answer or another tap: a lost request is sent again with it
  $("do-lay").click();
}
board.addEventListener("click", (event) => event.isTrusted && form.elements.at?.remove(), true);

let offered = ""; // what was laid by the button that ends the turn
board.addEventListener("click", (event) => {
  const press = event.target.closest("button");
  if (press && !can(press)) event.preventDefault();
  if (press?.id === "do-lay") choosePlace();
  /* A picked row is laid before the turn ends; only once, because the server may refuse it. */
  const picked = String(chosen().numbers);
  if (press?.id === "do-end" && $("do-lay") && lays() && picked !== offered) {
    offered = picked;
    event.preventDefault();
    $("do-lay").click();
  }
  /* A tap on an open place of a row lays the chosen cards there. */
  const end = event.target.closest(".end");
  if (end && $("do-lay") && board.querySelector("#hand :checked")) {
    event.preventDefault();
    $(end.htmlFor).checked = true;
    choiceChanged();
    layAt(end.dataset.numbers);
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
  const now = chosen();
  if (end) {
    choiceChanged();
    layAt(end.dataset.numbers);
  } else if (lay && target.checked && (lays(now) || reach(now).length)) lay.click();
  else {
    target.checked = checked;
    target.click();
  }
});

/* The cards that are probably laid, put down or taken are shown as such until the answer. */
document.addEventListener("submit", ({ submitter }) => {
  const own = chosen().hand.map((box) => box.closest(".card"));
  const cards =
    {
      lay: () => (lays() ? own : []),
      discard: () => (own.length === 1 ? own : []),
    }[submitter?.value] ?? (() => [submitter?.querySelector("[data-card]")].filter(Boolean));
  for (const card of cards()) card.classList.add("going");
});
/* What a tap shows is painted before the answer changes the page. */
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
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
document.addEventListener("htmx:finally:request", () => {
  for (const card of all(".going")) card.classList.remove("going");
  board.classList.remove("holding");
});

document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
  keepView();
  rememberCards();
  board.classList.remove("holding");
  /* Nothing is measured between here and the swap, so the board is laid out only once. */
  const { activeElement } = document;
  const { fragment } = tasks.find(({ type }) => type === "main");
  state.focused = board.contains(activeElement) ? activeElement.id : "";
  // After a tap on a hint, the next Tab leads to its button and not out of the page.
  if (activeElement.matches("#do-hint:not(:focus-visible)")) state.focused = "told";
  if (state.focused) activeElement.blur();
  document.documentElement.dataset.now = fragment.querySelector("[data-now]").dataset.now;
});
document.addEventListener("htmx:after:swap", () => {
  form.elements.at?.remove();
  showFresh();
  // All is measured before anything moves.
  const cards = movedCards();
  showSteps();
  glide(cards);
  focusNext();
  celebrate();
});

/* A finished picture that the child has closed stays closed, also on a page loaded again. */
const ended = () => `${location.pathname} ${form.elements.seen.value}`;

function showFresh() {
  if (sessionStorage.closed === ended()) board.querySelector(".finished")?.removeAttribute("open");
  state.isChanged = false;
  drawn = performance.now();
  board.classList.remove("changed");
  sortHand();
  showChoice();
  waitForHint();
  restoreView();
  if (board.querySelector(".choices-panel")) showTouched();
}

/* A hint should be read before the next one is asked for; the server waits just as long. */
function waitForHint() {
  const button = board.querySelector("[data-wait]");
  if (!button) return;
  button.setAttribute("aria-disabled", "true");
  setTimeout(() => button.removeAttribute("aria-disabled"), +button.dataset.wait);
}

/* If the pressed control is gone, the keyboard continues at the next thing to do. */
function focusNext() {
  // A question comes first, also for a child who pressed Enter on a card.
  (board.querySelector("button[name=play]") ?? $(state.focused))?.focus({ preventScroll: true });
  if (document.activeElement !== document.body) return;
  const next = [".finished summary", "#over .action", "#do-pass", "#do-draw-closed", "#hand input"];
  next
    .map((selector) => board.querySelector(selector))
    .find(Boolean)
    ?.focus({ preventScroll: true });
}
board.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches(".finished") && !target.open) {
      sessionStorage.closed = ended();
      board.querySelector("#over .action")?.focus();
    }
    if (target.matches(".nearly[open]")) target.scrollIntoView({ block: "nearest" });
  },
  true,
);

showFresh();
