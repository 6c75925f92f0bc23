/* Shows that a tap is being sent, and sends a lost request again with the same key. An answer
   without the site's mark comes from a filter or a portal, and counts as lost. Where something
   strips the comments of each page, the mark of an answer is its header. */
import { $, all, on } from "./dom.js";
import { words } from "./parts.js";
import { pause } from "./pause.js";

const WAIT_MS = 12000;
const SLOW_MS = 2500;
const LOCKED = 423;
const BEGIN = "<!--begin-->";
const MARK = "<!--nmbrs-->";
const notice = $("network");
const isStripped = ![...document.childNodes].some(({ data }) => data === "nmbrs");
let retry; // what the button of the notice does
let pressed; // the button, for a browser that does not say what submitted the form

function notify(text = "", label = "") {
  retry = label && retry;
  notice.firstElementChild.textContent = text;
  notice.lastElementChild.textContent = label;
  notice.hidden = !text;
}
const askToWait = () => notify(words.waiting);

async function send(url, request, tries = 0) {
  const abort = new AbortController();
  const timeout = setTimeout(() => abort.abort(), WAIT_MS);
  const slow = setTimeout(askToWait, SLOW_MS);
  // Only faults of the network are caught here, so that an error in this file is not taken for one.
  let answer;
  let body = "";
  try {
    answer = await fetch(url, { ...request, signal: abort.signal });
    body = await answer.text();
  } catch {
    answer = null;
  }
  clearTimeout(slow);
  clearTimeout(timeout);
  const [text, ...more] = body.split(MARK);
  const isOurs = more.length || (isStripped && answer?.headers.has("X-Nmbrs"));
  if (answer && answer.status < 429 && isOurs)
    return new Response(text.split(BEGIN).pop() + MARK, answer); // without what a filter adds
  // Only what the server carries out once may be sent twice.
  if (tries > 2 || !request.body?.has("key")) throw Error("lost");
  askToWait();
  // A busy site says for how many seconds to wait; a random part keeps all pages from coming back
  // at once.
  const rest = Math.min(answer?.headers.get("Retry-After"), 12) || 4 ** tries / 4;
  await new Promise((done) => setTimeout(done, rest * (1000 + Math.random() * 500)));
  return send(url, request, tries + 1);
}

const clearSent = () => all(".sent").forEach((button) => button.classList.remove("sent"));
on("htmx:config:request", ({ detail: { ctx } }) => {
  const { request } = ctx;
  ctx.fetch = send;
  if (request.submitter || pressed?.form !== request.form || !pressed?.name) return;
  request.submitter = pressed;
  request.body.append(pressed.name, pressed.value);
});
on("htmx:after:request", (event) => {
  const { response, hx, text } = event.detail.ctx;
  notify();
  if (response.status === LOCKED) {
    event.preventDefault();
    pause(true);
    return;
  }
  // Headers may be lost on the way, and with them what was requested and where to go on.
  const isPart = response.status < 400 && !/^\s*(<!doctype|<!--nmbrs-->$)/i.test(text);
  if (!isPart && !hx.redirect) {
    event.preventDefault();
    location.reload();
  }
});
on("htmx:error", ({ detail: { ctx, error } }) => {
  if (!ctx) return;
  const isLost = error?.message === "lost";
  const sendAgain = () => {
    askToWait();
    ctx.request.form.requestSubmit(ctx.request.submitter);
  };
  retry = isLost ? sendAgain : () => location.reload();
  notify(isLost ? words.lost : words.broken, isLost ? words.again : words.reload);
});
on("htmx:finally:request", clearSent);
addEventListener("online", () => retry?.());
notice.lastElementChild.onclick = () => retry();
/* Show no cached page on a shared computer. */
addEventListener("pageshow", (event) => (event.persisted ? location.reload() : clearSent()));

/* A second tap does not count while the first is on its way. */
addEventListener("click", ({ target }) => { pressed = target.closest("button"); }, true);
on("submit", (event) => {
  if (event.defaultPrevented || !event.target.querySelector(".sent"))
    (event.submitter || pressed)?.classList.add("sent");
  else event.preventDefault();
  setTimeout(clearSent, WAIT_MS);
});
