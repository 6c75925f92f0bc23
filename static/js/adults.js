/* The script of every page for adults. Every form and link also works without it. */
/* A second press of a button, or a second Enter, does not count while the first is on its way. */
let sentAt = new WeakMap();
addEventListener(
  "submit",
  (event) => {
    const control = event.submitter || event.target;
    if (event.timeStamp - sentAt.get(control) < 12000) {
      event.preventDefault();
      event.stopPropagation();
    } else sentAt.set(control, event.timeStamp);
  },
  true,
);
addEventListener("htmx:finally:request", () => {
  sentAt = new WeakMap();
});

/* Buttons that work only with a script. */
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
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && [...zone.options].some(({ value }) => value === ownZone)) zone.value = ownZone;

/* A table that does not fit scrolls to the place where the row would lie. */
const near = document.querySelector("[data-near]");
const table = near?.closest(".table-scroll");
if (table) {
  const [place, box] = [near, table].map((each) => each.getBoundingClientRect());
  table.scrollLeft += place.left + place.width / 2 - box.left - table.clientWidth / 2;
  table.scrollTop += place.top + place.height / 2 - box.top - table.clientHeight / 2;
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
   the way. A poll asks again by itself; a link is followed, and shows what comes. */
addEventListener("htmx:after:request", (event) => {
  const { response, sourceElement, text } = event.detail.ctx;
  if (response.status === 304 || text.includes("<!--nmbrs-->") || response.headers.has("X-Nmbrs"))
    return;
  event.preventDefault();
  if (sourceElement.href) location.assign(sourceElement.href);
});
