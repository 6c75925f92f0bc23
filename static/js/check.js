/* A short question: the keypad, and the time from showing it to answering.
   Without this file children type into the field, and no time is known. */
import { $, on } from "./page/dom.js";

const form = $("check");
const answer = $("answer");
const ms = $("ms");
let shownAt = 0;
let hasLeft = !("timed" in ms.dataset);

requestAnimationFrame(() => {
  shownAt = performance.now();
});
on("visibilitychange", () => {
  hasLeft ||= document.hidden;
});

$("keypad").hidden = false;
answer.inputMode = "none";
form.addEventListener("click", (event) => {
  const key = event.target.closest(".key");
  if (!key) return;
  if (key.dataset.digit === undefined) answer.value = answer.value.slice(0, -1);
  else if (answer.value.length < answer.maxLength) answer.value += key.dataset.digit;
});
/* Keep only digits, of any script: the site reads them all. */
function keepDigits({ isComposing }) {
  const digits = answer.value.replace(/\P{Nd}/gu, "");
  if (digits !== answer.value && !isComposing) answer.value = digits;
}
for (const name of ["input", "compositionend"]) answer.addEventListener(name, keepDigits);
on("keydown", (event) => {
  if (/^\p{Nd}$/u.test(event.key) && document.activeElement !== answer) answer.focus();
});

form.addEventListener("submit", () => {
  if (shownAt && !hasLeft) ms.value = Math.round(performance.now() - shownAt);
});
