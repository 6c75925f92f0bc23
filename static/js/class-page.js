/* Opens the moves behind a cell beside the map, where the teacher is: the page itself stays.
   Without this file the cell's link opens the same as a whole page. */
(() => {
  "use strict";
  let latest = 0;

  const replaced = async (address) => {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("behind");
    if (!fresh) throw new Error("no moves");
    return document.adoptNode(fresh);
  };

  const open = async (cell) => {
    const mine = ++latest;
    const fresh = await replaced(cell.href);
    if (mine !== latest) return;
    document.getElementById("behind").replaceWith(fresh);
    document.querySelector(".class-grid").classList.add("class-grid-open");
    for (const other of document.querySelectorAll(".class-map td a[aria-current]")) other.removeAttribute("aria-current");
    cell.setAttribute("aria-current", "true");
    history.replaceState(null, "", cell.href);
    fresh.focus({ preventScroll: true });
    fresh.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("click", (event) => {
    const cell = event.target.closest(".class-map td a");
    if (!cell || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(cell).catch(() => location.assign(cell.href));
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.target.closest("#behind")) return;
    document.querySelector(".class-map td a[aria-current]")?.focus();
  });
})();
