/* Leaves the page of a shared computer after 20 idle minutes, when the server ends the session. */
import { $, on } from "./dom.js";
import { setOpen, words } from "./parts.js";

const away = $("away");
let lastUse = Date.now();
let hasMoved = false;
let hasLeft = false;

function noteUse() {
  lastUse = Date.now();
  hasMoved = false;
  setOpen(away, false);
}

/* Reload only once: a second time, the cookie that says which class it was would be gone. */
function leave() {
  if (!hasLeft) location.reload();
  hasLeft = true;
}

function askServer() {
  fetch(words.here, { redirect: "manual" }).then(
    (answer) => (answer.ok ? noteUse() : leave()),
    () => 0,
  );
}

if (away) {
  // The clock decides: a computer that slept was idle too.
  setInterval(() => {
    const idle = (Date.now() - lastUse) / 60000;
    if (idle > 20 || (idle > 18 && hasMoved)) askServer();
    else if (idle > 18 && !away.hasAttribute("open")) setOpen(away, true);
  }, 5000);
  away.onclose = askServer;
  on("htmx:after:request", ({ detail }) => {
    if (detail.ctx.request.submitter?.value !== "look") noteUse();
  });
  for (const name of ["pointerdown", "keydown"])
    on(name, () => {
      hasMoved = true;
    });
}
