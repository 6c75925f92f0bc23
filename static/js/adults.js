/* What every page of a teacher does itself. Every form and link also works without it. */
(() => {
  "use strict";
  /* A second press of a button, or a second Enter, does not count while the first is on its way. */
  let sent = new WeakMap();
  addEventListener("submit", (event) => {
    const by = event.submitter || event.target;
    if (event.timeStamp - sent.get(by) < 12000) {
      event.preventDefault();
      event.stopPropagation();
    } else sent.set(by, event.timeStamp);
  }, true);
  addEventListener("htmx:finally:request", () => { sent = new WeakMap(); });

  /* Only an answer with the site's mark enters a page, never the page of a filter or a portal on the
     way. A poll asks again by itself; a link is followed and shows what it got. */
  addEventListener("htmx:after:request", (event) => {
    const { response, sourceElement, text } = event.detail.ctx;
    if (response.status === 304 || text.includes("<!--nmbrs-->")) return;
    event.preventDefault();
    if (sourceElement.href) location.assign(sourceElement.href);
  });
})();
