/* A check-up with a limit of time: a pause before each question, a bar for the time that is left,
   and what is typed is sent when the time is over. Without this file a check-up is begun without time. */
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const script = $("script"), form = $("check");
  if (script) script.disabled = false;
  if (!form?.dataset.limit) return;
  const limit = Number(form.dataset.limit);
  let shown = 0;
  let isOver = false;

  setTimeout(() => {
    $("ready").textContent = "";
    $("ask").classList.remove("check-waiting");
    $("answer").focus();
    shown = performance.now();
    setTimeout(() => { isOver = true; form.requestSubmit($("do-answer")); }, limit);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const easing = isCalm ? `steps(${limit / 1000})` : "linear";
    $("time").animate({ transform: ["none", "scaleX(0)"] }, { duration: limit, easing, fill: "forwards" });
  }, form.dataset.pause);

  /* OK without a number is no answer while there is time, and nobody else is to take it for one. */
  form.addEventListener("submit", (event) => {
    if (shown && (isOver || $("answer").value)) $("ms").value = Math.round(performance.now() - shown);
    else {
      event.preventDefault();
      event.stopImmediatePropagation();
      $("answer").focus();
    }
  }, true);
})();
