/* Shows the moves behind a cell beside the map. Without this file, the cell's link opens the page
   with them. */
import { $, on } from "./page/dom.js";

let latest = 0;

/* Remove the panel, and return its cell. */
const close = () => {
  $("behind")?.remove();
  const cell = document.querySelector(".class-map td a[aria-current]");
  cell?.removeAttribute("aria-current");
  return cell;
};

const closeFor = (address) => {
  ++latest;
  history.replaceState(null, "", address);
  close()?.focus();
};

const open = async (cell) => {
  const number = ++latest;
  const answer = await fetch(cell.href, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const panel = document.adoptNode(page.getElementById("behind"));
  if (number !== latest) return;
  close();
  document.querySelector(".class-side").append(panel);
  cell.setAttribute("aria-current", "true");
  history.replaceState(null, "", cell.href);
  panel.focus({ preventScroll: true });
  // Beside the map, the panel is in sight by itself, and nothing else moves.
  if (getComputedStyle(panel).position !== "sticky")
    panel.scrollIntoView({ block: "nearest" });
};

on("click", (event) => {
  const link = event.target.closest(".class-map td a, #behind .close");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  if (link.closest("#behind")) closeFor(link.href);
  else open(link).catch(() => location.assign(link.href));
});

on("keydown", (event) => {
  const panel = event.key === "Escape" && event.target.closest("#behind");
  if (panel) closeFor(panel.querySelector(".close").href);
});
