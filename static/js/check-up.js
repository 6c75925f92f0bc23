/* A timed check-up: a pause, then a bar for the time left; when the time is over, what was typed is
   sent. Without this file a check-up begins without a time limit. */
import { $ } from "./page/dom.js";

const script = $("script");
const form = $("check");
const answer = $("answer");
let shownAt;
let isOver;

function show() {
  const duration = +form.dataset.limit;
  $("ready").textContent = "";
  $("ask").classList.remove("check-waiting");
  answer.focus();
  shownAt = performance.now();
  setTimeout(() => {
    isOver = true;
    form.requestSubmit($("do-answer"));
  }, duration);
  $("time").animate({ scale: ["1 1", "0 1"] }, { duration, easing: "steps(6)", fill: "both" });
}

/* While there is time, OK without a number is not an answer, not even for a script. */
function submit(event) {
  if (shownAt && (isOver || answer.value)) $("ms").value = Math.round(performance.now() - shownAt);
  else {
    event.preventDefault();
    event.stopImmediatePropagation();
    answer.focus();
  }
}

if (script) script.disabled = false;
if (form) {
  setTimeout(show, form.dataset.pause);
  form.addEventListener("submit", submit, true);
}
