/* What an eye would find wrong with the page that is shown; see seen.py. */
(smallest) => {
  const CONTROLS = "a[href], button, select, summary, textarea, input:not([type=hidden]), label.end, .row-tag";
  const BY_LABEL = "[type=checkbox], [type=radio], .visually-hidden";
  const NOT_SEEN = ".visually-hidden, .skip, .sprite, symbol, defs, option";
  const OVERLAYS = ".help-panel, dialog[open], .network p, #held, .bubble, .players:focus-within, details[open] > :not(summary)";
  const MAY_END_IN_DOTS = ".to-do, .bubble, .who-name, .player-name strong, .plain-link, .live-name";
  const found = new Set();

  const name = (element) => {
    const id = element.id ? `#${element.id}` : "", text = (element.ariaLabel || element.textContent).trim();
    return `${element.tagName.toLowerCase()}${id}.${[...element.classList].join(".")} "${text.slice(0, 30)}"`;
  };
  const seen = (element) => !element.closest(NOT_SEEN) && element.getBoundingClientRect().width > 1
    && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  // They zoom; at the end of a round the whole table is only looked at.
  const zooms = document.querySelector(".over") ? 16 : 20;
  for (const control of document.querySelectorAll(CONTROLS)) {
    const at = control.matches(BY_LABEL) ? control.closest("label") ?? control : control;
    // A link among words is as high as they are.
    if (!seen(at) || getComputedStyle(at).display === "inline") continue;
    const { width, height } = at.getBoundingClientRect();
    const least = at.matches(".table-card, .row-tag, .end") ? Math.min(smallest, zooms) : smallest;
    if (Math.min(width, height) < least - 0.5)
      found.add(`small, ${Math.round(width)} × ${Math.round(height)}: ${name(control)}`);
  }

  /* The middle of what parts that scroll let through of a box; null where it is scrolled away. */
  function inSight({ left, right, top, bottom }, element) {
    for (let up = element; up && up !== document.documentElement; up = up.parentElement) {
      const { overflowX } = getComputedStyle(up);
      if (overflowX === "visible") continue;
      const own = up.getBoundingClientRect();
      if (overflowX === "auto" || overflowX === "scroll") {
        left = Math.max(left, own.left); right = Math.min(right, own.right);
        top = Math.max(top, own.top); bottom = Math.min(bottom, own.bottom);
        if (right - left < 3 || bottom - top < 3) return null;
      } else if (up.matches(MAY_END_IN_DOTS)) {
        right = Math.min(right, own.right);
        if (left >= right || top >= own.bottom - 1) return null;
      } else if (left < own.left - 1 || right > own.right + 1 || top < own.top - 4 || bottom > own.bottom + 1) {
        return "cut";
      }
    }
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }

  function ancestor(element, is) {
    for (let up = element; up; up = up.parentElement) if (is(up)) return up;
    return null;
  }
  const sticks = (element) => ancestor(element, (up) => getComputedStyle(up).position === "sticky");
  const clipped = (element) => ancestor(element, (up) => getComputedStyle(up).clipPath !== "none");
  /* A link that can be tapped beside its own box too. */
  function stretched(element, { x, y }) {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return element.matches("a") && (x < left || x > right || y < top || y > bottom);
  }

  function line(box, element) {
    const at = inSight(box, element);
    if (at === "cut") found.add(`cut off: ${name(element)}`);
    if (!at || at === "cut") return;
    if (at.x < 0 || at.x > innerWidth) found.add(`off the page: ${name(element)}`);
    const top = document.elementFromPoint(at.x, at.y), whole = element.closest("label, button, a") ?? element;
    if (!top || whole.contains(top) || top.contains(element)) return;
    // The facts of a tapped row may cover text, and so may a sticky element, because the page scrolls
    // under it.
    const asked = top.closest(`${OVERLAYS}, .row-tag:has(:checked)`) || sticks(top) || stretched(top, at);
    if (!asked)
      found.add(`under ${name(top)}: ${name(element)}`);
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!node.data.trim() || !seen(node.parentElement) || clipped(node.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width) line(box, node.parentElement);
  }

  for (const [words] of document.body.innerText.matchAll(/.{0,30}\s[,.;](?!\S).{0,10}/g))
    found.add(`white space before a mark: ${words}`);
  return [...found];
}
