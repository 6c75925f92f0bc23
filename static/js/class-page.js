/* Opens the moves behind a cell beside the map, where the teacher is, with the row of the first of
   them as cards; the page itself stays. Without this file the cell's link opens the moves as a
   page. Each move has a link to its replay. */
(() => {
  "use strict";
  let latest = 0;

  const fetched = async (address) => {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  /* The styles and the drawings of cards come with the first such page. */
  const dressed = async (page) => {
    const known = new Set([...document.styleSheets].map((sheet) => sheet.href));
    const missing = [...page.querySelectorAll("link[rel=stylesheet]")].filter(
      (link) => !known.has(new URL(link.getAttribute("href"), location).href),
    );
    const loads = missing.map((link) => {
      const own = document.adoptNode(link);
      document.head.append(own);
      return new Promise((done) => {
        own.onload = own.onerror = done;
      });
    });
    await Promise.all(loads);
    const sprite = page.querySelector("svg.sprite");
    if (sprite && !document.querySelector("svg.sprite"))
      document.body.append(document.adoptNode(sprite));
  };

  const show = async (behind) => {
    const first = behind.querySelector(".move a");
    if (!first) return;
    const page = await fetched(first.href);
    const row = page.querySelector(".shown-row");
    if (!row) return;
    await dressed(page);
    if (!behind.isConnected) return;
    first.closest(".move").classList.add("move-shown");
    behind.querySelector(".moves").before(document.adoptNode(row));
  };

  const open = async (cell) => {
    const mine = ++latest;
    const fresh = document.adoptNode((await fetched(cell.href)).getElementById("behind"));
    if (mine !== latest) return;
    document.getElementById("behind").replaceWith(fresh);
    document.querySelector(".class-grid").classList.add("class-grid-open");
    for (const other of document.querySelectorAll(".class-map td a[aria-current]"))
      other.removeAttribute("aria-current");
    cell.setAttribute("aria-current", "true");
    history.replaceState(null, "", cell.href);
    fresh.focus({ preventScroll: true });
    await show(fresh).catch(() => {});
    if (mine === latest) fresh.scrollIntoView({ block: "nearest" });
  };

  const shown = document.getElementById("behind");
  if (shown) show(shown).catch(() => {});

  document.addEventListener("click", (event) => {
    const cell = event.target.closest(".class-map td a");
    if (!cell || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    open(cell).catch(() => location.assign(cell.href));
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.target.closest("#behind")) return;
    document.querySelector(".class-map td a[aria-current]")?.focus();
  });
})();
