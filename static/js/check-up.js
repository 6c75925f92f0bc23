/* A check-up with a limit of time: a pause before each question, and what is typed is sent when the
   time is over. Without this file a check-up is begun without time. */
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const script = $("script"), form = $("check");
  if (script) script.disabled = false;
  if (!form?.dataset.limit) return;
  let shown = 0;

  setTimeout(() => {
    $("ready").textContent = "";
    $("ask").classList.remove("check-waiting");
    $("answer").focus();
    shown = performance.now();
    setTimeout(() => form.requestSubmit($("do-answer")), form.dataset.limit);
  }, form.dataset.pause);

  form.addEventListener("submit", (event) => {
    if (shown) $("ms").value = Math.round(performance.now() - shown);
    else event.preventDefault();
  });
})();
