/* Arrow keys go from card to card, ? opens the help. */
import { $, all, on } from "./dom.js";

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -999, End: 999 };
const help = $("help");
const controls = (box) =>
  [...box.querySelectorAll("a, button, input")].filter((item) => item.offsetParent);

/* Tab stops once in a group, but at each name: where the child was, or at a place that fits. */
function setStops(target) {
  for (const box of all("[data-arrows='']")) {
    const items = controls(box).filter((item) => item.type !== "radio");
    const fits = box.querySelector(".fits-here input");
    const last = items.includes(target) && target;
    const stop = last || fits || box.querySelector("[tabindex='0']") || items[0];
    for (const item of items) item.tabIndex = item === stop ? 0 : -1;
  }
}

/* Tab leads from the hand to where the chosen cards fit, and from there to the button that lays
   them. */
function nextStop(target) {
  const [fit] = all(".fits-here input, .takes-number input");
  if (target.closest("#hand")) return fit;
  return target.closest("#table") && all("#hand :checked").length && $("do-lay");
}

/* The nearest item above the target (side -1) or below it (1). */
function nearest(items, target, side) {
  const at = (item) => (item.labels?.[0] ?? item).getBoundingClientRect();
  const { x, y, height } = at(target);
  const away = (item) => side * (at(item).y - y) + 2 * Math.abs(at(item).x - x);
  const beyond = items.filter((item) => 2 * side * (at(item).y - y) > height);
  return beyond.sort((a, b) => away(a) - away(b))[0];
}

on("keydown", (event) => {
  const { target, key } = event;
  if (key === "Tab") {
    setStops(target);
    const next = !event.shiftKey && nextStop(target);
    if (next) {
      next.focus();
      event.preventDefault();
    }
  }
  const step = STEPS[key];
  const box = step && (target.id === "do-hint" ? $("hand") : target.closest("[data-arrows]"));
  if (box && box !== target) {
    const items = controls(box);
    const next = items.at(Math.max(0, Math.min(items.indexOf(target) + step, items.length - 1)));
    ((/Up|Down/.test(key) && nearest(items, target, step)) || next).focus();
    event.preventDefault();
  }
  const asksHelp = key === "?" && !target.matches(":read-write");
  if (help && (asksHelp || (key === "Escape" && help.open))) {
    help.open = !help.open;
    help.firstElementChild.focus();
  }
});
on("click", ({ target, detail }) => {
  if (help?.open && !help.contains(target)) help.open = false;
  sessionStorage.tapped = detail; // 0 for a key, also on the next page
});
