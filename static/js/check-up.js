/* A timed check-up: a pause, then a bar for the time left; when the time is over, what was typed is
   sent. Without this file a check-up begins without a time limit. */
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const script = $("script");
  const form = $("check");
  const answer = $("answer");
  const limit = +form?.dataset.limit;
  if (script) script.disabled = false;
  if (!limit) return;
  let shownAt;
  let isOver;

  setTimeout(() => {
    $("ready").textContent = "";
    $("ask").classList.remove("check-waiting");
    answer.focus();
    shownAt = performance.now();
    setTimeout(() => {
      isOver = true;
      form.requestSubmit($("do-answer"));
    }, limit);
    $("time").animate(
      { scale: ["1 1", "0 1"] },
      { duration: limit, easing: "steps(6)", fill: "both" },
    );
  }, form.dataset.pause);

  /* While there is time, OK without a number is not an answer, not even for a script. */
  form.addEventListener(
    "submit",
    (e) => {
      if (shownAt && (isOver || answer.value))
        $("ms").value = Math.round(performance.now() - shownAt);
      else {
        e.preventDefault();
        e.stopImmediatePropagation();
        answer.focus();
      }
    },
    true,
  );
})();
