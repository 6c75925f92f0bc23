/* What every page of a teacher does itself. Every form and link also works without it. */
(() => {
  "use strict";
  /* A second press of a button, or a second Enter, does not count while the first is on its way. */
  let sent = new WeakMap();
  addEventListener(
    "submit",
    (event) => {
      const by = event.submitter || event.target;
      if (event.timeStamp - sent.get(by) < 12000) {
        event.preventDefault();
        event.stopPropagation();
      } else sent.set(by, event.timeStamp);
    },
    true,
  );
  addEventListener("htmx:finally:request", () => {
    sent = new WeakMap();
  });

  /* Buttons that only a script can carry out. */
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-copy]");
    if (!button) return;
    const field = button.previousElementSibling;
    field.select();
    await navigator.clipboard?.writeText(field.value).catch(() => document.execCommand("copy"));
    button.textContent = button.dataset.done;
  });

  /* A new class begins with the time zone of the device. */
  const zone = document.querySelector("select[data-own-zone]");
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && [...zone.options].some(({ value }) => value === own)) zone.value = own;

  /* A table that does not fit shows where the row would lie. */
  const near = document.querySelector("[data-near]");
  const table = near?.closest(".table-scroll");
  if (table) {
    const [at, from] = [near, table].map((one) => one.getBoundingClientRect());
    table.scrollLeft += at.left + at.width / 2 - from.left - table.clientWidth / 2;
    table.scrollTop += at.top + at.height / 2 - from.top - table.clientHeight / 2;
  }

  /* Anybody who leaves a page with unsaved changes is asked first. */
  let changed = false;
  addEventListener("change", ({ target }) => {
    changed ||= target.form?.matches("[data-unsaved]");
  });
  addEventListener("submit", () => {
    changed = false;
  });
  addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });

  /* Only an answer with the site's mark enters a page, never the page of a filter or a portal on
     the way. A poll asks again by itself; a link is followed and shows what it got. */
  addEventListener("htmx:after:request", (event) => {
    const { response, sourceElement, text } = event.detail.ctx;
    if (response.status === 304 || text.includes("<!--nmbrs-->") || response.headers.has("X-Nmbrs"))
      return;
    event.preventDefault();
    if (sourceElement.href) location.assign(sourceElement.href);
  });
})();
