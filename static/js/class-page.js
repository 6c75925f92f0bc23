/* Shows the moves behind a cell beside the map, with the row of the first move as cards. Without
   this file the cell's link opens the moves as a page. Each move has a link to its replay. */
(() => {
  "use strict";
  let latest = 0;

  const fetchPage = async (address) => {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  /* Load what the row of this page needs and ours lacks: styles, and the drawings of cards. */
  const loadDrawings = async (page) => {
    const known = new Set([...document.styleSheets].map((sheet) => sheet.href));
    const missing = [...page.querySelectorAll("link[rel=stylesheet]")].filter(
      (link) => !known.has(new URL(link.getAttribute("href"), location).href),
    );
    const loads = missing.map((link) => {
      const sheet = document.adoptNode(link);
      document.head.append(sheet);
      return new Promise((done) => {
        sheet.onload = sheet.onerror = done;
      });
    });
    await Promise.all(loads);
    const sprite = page.querySelector("svg.sprite");
    if (sprite && !document.querySelector("svg.sprite"))
      document.body.append(document.adoptNode(sprite));
  };

  const showFirstRow = async (panel) => {
    const first = panel.querySelector(".move a");
    if (!first) return;
    const page = await fetchPage(first.href);
    const row = page.querySelector(".shown-row");
    if (!row) return;
    await loadDrawings(page);
    if (!panel.isConnected) return;
    first.closest(".move").classList.add("move-shown");
    panel.querySelector(".moves").before(document.adoptNode(row));
  };

  /* Remove the panel, and return its cell. */
  const close = () => {
    document.getElementById("behind")?.remove();
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
    const panel = document.adoptNode((await fetchPage(cell.href)).getElementById("behind"));
    if (number !== latest) return;
    close();
    document.querySelector(".class-side").append(panel);
    cell.setAttribute("aria-current", "true");
    history.replaceState(null, "", cell.href);
    panel.focus({ preventScroll: true });
    await showFirstRow(panel).catch(() => {});
    // Beside the map, the panel is in sight by itself, and nothing else moves.
    if (number === latest && getComputedStyle(panel).position !== "sticky")
      panel.scrollIntoView({ block: "nearest" });
  };

  const shown = document.getElementById("behind");
  if (shown) showFirstRow(shown).catch(() => {});

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".class-map td a, #behind .close");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    if (link.closest("#behind")) closeFor(link.href);
    else open(link).catch(() => location.assign(link.href));
  });

  document.addEventListener("keydown", (event) => {
    const panel = event.key === "Escape" && event.target.closest("#behind");
    if (panel) closeFor(panel.querySelector(".close").href);
  });
})();
