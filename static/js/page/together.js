/* Goes on when the class does. The page asks for ten minutes whether the class has gone on; then
   it stops, so that an abandoned page ends like any other. */
import { $ } from "./dom.js";

const poll = $("poll");
if (poll) {
  const { from, to } = poll.dataset;
  const riddle = $("when-made");
  let left = 150;
  let asks;
  let leaves;
  /* News must not cancel a press that loads a page; one that htmx sends leaves the page open. */
  addEventListener("submit", (event) => { leaves = !event.defaultPrevented; });
  const timer = setInterval(() => {
    if (!left--) clearInterval(timer);
    if (asks || leaves || document.hidden) return;
    asks = fetch(from, { redirect: "manual" })
      .then(async (answer) => {
        const isNews = answer.type === "opaqueredirect" || (await answer.text()) === "go on";
        if (leaves || !isNews) return;
        if (riddle) riddle.submit();
        else location.assign(to);
      })
      .catch(() => 0)
      .finally(() => {
        asks = null;
      });
  }, 4000);
}
