/* What an eye would find wrong with the page that is shown; see seen.py. */
(smallest) => {
  const found = [];
  const page = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
  const CONTROLS = "a, button, select, summary, input, label.card, label.end, .row-tag";
  const NOT_SEEN = ".visually-hidden, .skip, symbol, defs";

  const seen = (element) => !element.closest(NOT_SEEN)
    && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const name = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
  const inside = (x, y, box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflow);

  function clipping(element) {
    const around = [];
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflow !== "visible") around.push(up);
      if (scrolls(up)) break;
    }
    return around;
  }
  const scrolledAway = (element, x, y) => clipping(element)
    .some((up) => scrolls(up) && !inside(x, y, up.getBoundingClientRect()));

  function sticksOut(box, element) {
    const room = element.getBoundingClientRect();
    return box.left < room.left - 2 || box.right > room.right + 2
      || box.top < room.top - 4 || box.bottom > room.bottom + 4;
  }

  function control(element) {
    const box = element.getBoundingClientRect();
    const drawn = element.type !== "hidden" && !(element.matches("input") && element.closest("label"));
    // They zoom; at the end of a round the whole table is only looked at.
    const zooms = document.querySelector(".over") ? 16 : 28;
    const least = element.matches(".table-card") ? Math.min(smallest, zooms) : smallest;
    if (drawn && box.width && seen(element) && Math.min(box.width, box.height) < least - 0.5)
      found.push(`${name(element)} is ${Math.round(box.width)} by ${Math.round(box.height)}`);
  }

  function line(box, text, element) {
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    if (!box.width || scrolledAway(element, x, y)) return;
    if (x < page.left || x > page.right) found.push(`off the page: ${text}`);
    if (!inside(x, y, page)) return;
    const own = getComputedStyle(element).overflow === "hidden" && element.scrollWidth > element.clientWidth + 1;
    if (own || clipping(element).some((up) => !scrolls(up) && sticksOut(box, up)))
      found.push(`cut off: ${text}`);
    const top = document.elementFromPoint(x, y), whole = element.closest("label, button, a") ?? element;
    const asked = top?.closest(".row-tag:has(:checked)"); // a tapped row's facts lie over the rest
    if (top && !asked && !whole.contains(top) && !top.contains(element)) found.push(`${text} is under ${name(top)}`);
  }

  document.querySelectorAll(CONTROLS).forEach(control);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, text = node.data.trim();
    if (!text || !seen(node.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) line(box, text, node.parentElement);
  }
  return [...new Set(found)];
}
