/* What is too small to tap, and what text is cut off or lies under something else. */
() => {
  const LEAST = 43.5, LEAST_ON_A_FULL_TABLE = document.querySelector(".over") ? 16 : 27.5;
  const OVERLAYS = ".help-panel, dialog[open], .network p:not([hidden])";
  const covered = [...document.querySelectorAll(OVERLAYS)].some((e) => e.checkVisibility());
  const name = (e) => {
    const id = e.id ? `#${e.id}` : "", text = (e.ariaLabel || e.textContent).trim().slice(0, 30);
    return `${e.tagName.toLowerCase()}${id}.${[...e.classList].join(".")} "${text}"`;
  };
  const shown = (e) => e.checkVisibility({ visibilityProperty: true });
  const hidden = (e) => e.closest(".visually-hidden, .skip, .sprite, [aria-hidden=true], dialog:not([open])");
  const found = [];

  for (const control of document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")) {
    const at = control.matches(".visually-hidden") ? control.closest("label") : control.closest("label.choice") || control;
    if (!shown(at) || at.closest(".skip") || getComputedStyle(at).display === "inline") continue;
    const { width, height } = at.getBoundingClientRect();
    const least = at.matches(".table-card") ? LEAST_ON_A_FULL_TABLE : LEAST;
    if (width < least || height < least) found.push(`small, ${Math.round(width)} × ${Math.round(height)}: ${name(control)}`);
  }

  /* The part of a box that its scrolling ancestors let through; null where it is scrolled away. */
  function inSight(box, element) {
    let { left, right, top, bottom } = box;
    for (let up = element; up && up !== document.documentElement; up = up.parentElement) {
      const { overflowX } = getComputedStyle(up);
      if (overflowX === "visible") continue;
      const own = up.getBoundingClientRect();
      /* A name of 40 letters may end in dots. */
      if (up.matches(".who-name, .player-name strong")) { right = Math.min(right, own.right); continue; }
      if (overflowX === "hidden" || overflowX === "clip") {
        if (right > own.right + 1 || left < own.left - 1 || bottom > own.bottom + 1) return "cut";
        continue;
      }
      left = Math.max(left, own.left); right = Math.min(right, own.right);
      top = Math.max(top, own.top); bottom = Math.min(bottom, own.bottom);
      if (right - left < 3 || bottom - top < 3) return null;
    }
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !shown(element) || hidden(element) || element.closest("svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    if (element.getBoundingClientRect().width < 2) continue; // for those who listen
    for (const box of range.getClientRects()) {
      const at = inSight(box, element);
      if (at === "cut") { found.push(`cut: ${name(element)}`); break; }
      if (!at || at.y < 0 || at.y > innerHeight) continue;
      if (at.x > innerWidth) { found.push(`beside the page: ${name(element)}`); break; }
      if (covered) continue;
      const top = document.elementFromPoint(at.x, at.y);
      if (top && !top.contains(element) && !element.contains(top) && !(top.closest("label") || top).contains(element)) {
        found.push(`under ${name(top)}: ${name(element)}`);
        break;
      }
    }
  }
  return found;
}
