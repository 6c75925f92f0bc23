/* At a table of several players, asks whether the others have done something, and then gets the new
   board. */
import { $, all, on } from "./page/dom.js";
import { board, form, isStill } from "./game/board.js";
import { setOpen } from "./page/parts.js";

const WAIT_MS = 9000;
const RETRY_S = 5;
const SOON_MS = 1000;
const IDLE_MS = 60000;
const find = (selector) => document.querySelector(selector);
const isMoving = ({ playState, effect }) =>
  playState === "running" && effect.getTiming().iterations < 9;

/* Nothing changes under a child's finger, nor while they are asked which row they mean or still
   see what the others did before. */
const isBusy = () =>
  find(".dragged, #play .sent, .holding, .choices-panel, #paused[open]") ||
  board.getAnimations({ subtree: true }).some(isMoving);

/* A child who still looks at the end of a round keeps it until they tap, and reads that the next
   one has begun. */
async function staysAtEnd() {
  const button = $("do-next-round");
  const note = $("goes-on");
  if (!button) return false;
  const page = await fetch(location.href);
  // The table has been ended, or the child moved, perhaps after the next round has begun.
  if (page.redirected) location.reload();
  else if (!(await page.text()).includes(' id="do-next-round"')) {
    note.hidden = false;
    button.value = "look";
  }
  return !note.hidden;
}

/* A child who does nothing for long while others wait is asked whether they are there. Until they
   tap, the page does not say that they are: after a minute a bot plays for them. */
const there = $("still-there");
let lastUse = Date.now();
let waited = false;
function isIdle() {
  const waits = Boolean(find("#news[data-waits], #goes-on:not([hidden])"));
  if (!(waits && waited) || find("#paused[open]")) lastUse = Date.now();
  waited = waits;
  const asked = there.hasAttribute("open");
  const late = Date.now() > lastUse + IDLE_MS;
  if (late && !asked) setOpen(there, true);
  return late;
}
function noteUse() {
  if (there.hasAttribute("open")) return;
  lastUse = Date.now();
  /* Whoever taps still plays: no bot plays for them, though the others have asked for one. */
  const here = $("do-here");
  if (!here) return;
  const body = new FormData(form);
  body.set("move", here.value);
  here.remove();
  fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => {});
  askIn(SOON_MS);
}
for (const name of ["pointerdown", "keydown", "visibilitychange"])
  addEventListener(name, noteUse, true);
there.onclick = () => (there.close ? there.close() : location.reload());
there.onclose = () => {
  lastUse = Date.now();
  askIn(0);
};

let timer;
async function ask() {
  let seconds = waited ? RETRY_S : 1;
  timer = 0;
  const abort = new AbortController();
  const timeout = setTimeout(() => abort.abort(), WAIT_MS);
  try {
    if (document.hidden || isIdle()) return;
    const { poll } = $("news").dataset;
    const answer = await fetch(poll, { redirect: "manual", signal: abort.signal });
    if (answer.status === 404) location.reload();
    const text = await answer.text();
    const button = $("do-look");
    if (text !== "go on") seconds = +text || RETRY_S;
    // Otherwise the board has changed since it was asked: a tap on it may already be on its way.
    else if ($("news").dataset.poll === poll && !isBusy() && !(await staysAtEnd()) && !isBusy()) {
      form.requestSubmit(button);
      button.classList.remove("sent"); // a tap may follow at once
    }
  } catch {
    seconds = RETRY_S;
  } finally {
    clearTimeout(timeout);
    timer = setTimeout(ask, seconds * 1000);
  }
}
function askIn(time) {
  if (!timer) return; // a request is on its way
  clearTimeout(timer);
  timer = setTimeout(ask, time);
}
on("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
  const { fragment } = tasks.find(({ type }) => type === "main");
  /* The end of a round is celebrated once, and not again with each sign. */
  const celebrated = $("over") && fragment.querySelector("#over");
  board.classList.toggle("celebrated", Boolean(celebrated));
  /* What a child has chosen meanwhile stays chosen. */
  if (!ctx.request.submitter?.matches(".several button")) return;
  for (const box of fragment.querySelectorAll("#hand input, #table input")) {
    const shown = $(box.id);
    if (shown) box.checked = shown.checked;
  }
});

/* A new sign leaps up, and so does the note that somebody waits for another game. */
const signs = () => all(".sign, #to-again");
const known = () => signs().map(({ textContent }) => textContent);
let seen = known();

/* After each new board ask soon: during a child's own turn the page asks seldom, but the next
   player may be quick. */
on("htmx:after:swap", () => {
  if (!isStill())
    for (const sign of signs())
      if (!seen.includes(sign.textContent))
        sign.animate(
          [{ transform: `scale(${sign.id ? 1.05 : 1.6})`, transformOrigin: "0 50%" }, {}],
          { duration: 500, easing: "ease-out" },
        );
  seen = known();
  askIn(SOON_MS);
});
ask();
