/* A short question: the keypad, and the time from seeing it to answering.
   Without this file children type into the field, and no time is known. */
(() => {
  "use strict";
  const form = document.getElementById("check");
  const answer = document.getElementById("answer");
  const ms = document.getElementById("ms");
  let shown = 0;
  let away = !("timed" in ms.dataset);

  requestAnimationFrame(() => { shown = performance.now(); });
  document.addEventListener("visibilitychange", () => { away = away || document.hidden; });

  document.getElementById("keypad").hidden = false;
  answer.inputMode = "none";
  form.addEventListener("click", (event) => {
    const key = event.target.closest(".key");
    if (!key) return;
    if (key.dataset.digit === undefined) answer.value = answer.value.slice(0, -1);
    else if (answer.value.length < answer.maxLength) answer.value += key.dataset.digit;
  });
  /* Each script has its ten digits in a row, from its zero on. */
  const isDigit = (code) => /\p{Nd}/u.test(String.fromCodePoint(code));
  function plain(digit) {
    const code = digit.codePointAt(0);
    let zero = code;
    while (code - zero < 9 && isDigit(zero - 1)) zero--;
    return code - zero;
  }
  function tidy({ isComposing }) {
    const digits = answer.value.replace(/\P{Nd}/gu, "").replace(/\p{Nd}/gu, plain);
    if (digits !== answer.value && !isComposing) answer.value = digits;
  }
  for (const name of ["input", "compositionend"]) answer.addEventListener(name, tidy);
  document.addEventListener("keydown", (event) => {
    if (/^\p{Nd}$/u.test(event.key) && document.activeElement !== answer) answer.focus();
  });

  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) return event.preventDefault();
    sent = true;
    if (shown && !away) ms.value = Math.round(performance.now() - shown);
  });
})();
