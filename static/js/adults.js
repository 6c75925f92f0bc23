/* What every page of a teacher does itself. Every form and link also works without it. */
(() => {
  "use strict";
  /* A second press of a button, or a second Enter, does not count while the first is on its way. */
  const LONGEST = 12000;
  let sent = new WeakMap();
  document.addEventListener("submit", (event) => {
    const by = event.submitter || event.target;
    if (event.timeStamp - sent.get(by) < LONGEST) {
      event.preventDefault();
      event.stopPropagation();
    } else sent.set(by, event.timeStamp);
  }, true);
  const done = () => { sent = new WeakMap(); };
  addEventListener("pageshow", done);
  document.addEventListener("htmx:finally:request", done);

  /* Only an answer with the site's mark enters a page, never the page of a filter or a portal on the
     way. A poll asks again by itself; a link is followed and shows what it got. */
  document.addEventListener("htmx:after:request", (event) => {
    const { response, sourceElement, text } = event.detail.ctx;
    if (response.status === 304 || text.includes("<!--nmbrs-->")) return;
    event.preventDefault();
    if (sourceElement.href) location.assign(sourceElement.href);
  });
})();
