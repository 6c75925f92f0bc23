/* What makes a row a joy: it glows, and its points fly to the score. The words are on the page. */
(() => {
  "use strict";
  const board = document.getElementById("board"), find = (selector) => board.querySelector(selector);
  const MOST = 560;
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  function fly(points, row) {
    const [x, y] = middle(row), [toX, toY] = middle(find(".player-you .score"));
    const up = document.createElement("b");
    up.className = "points";
    up.ariaHidden = true;
    up.textContent = `+${points}`;
    Object.assign(up.style, { left: `${x}px`, top: `${y}px` });
    board.append(up);
    up.animate([
      { opacity: 0, transform: "translate(-50%, -50%) scale(.6)" },
      { opacity: 1, transform: "translate(-50%, -90%) scale(1.2)", offset: .3 },
      { opacity: 1, transform: "translate(-50%, -120%) scale(1.2)", offset: .5 },
      { opacity: 0, transform: `translate(calc(${toX - x}px - 50%), calc(${toY - y}px - 50%)) scale(.8)` },
    ], { duration: MOST, easing: "ease-in-out" }).onfinish = () => up.remove();
  }

  document.addEventListener("htmx:after:swap", () => {
    const { earned, laid } = find("#table")?.dataset ?? {};
    const row = laid && find(`.table-row[data-numbers="${laid}"]`);
    if (!row || atOnce.still()) return;
    row.classList.add("glows");
    if (+earned) fly(earned, row.querySelector(".ring"));
  });
  board.addEventListener("animationend", ({ animationName, target }) => {
    if (animationName === "glow") target.closest(".glows").classList.remove("glows");
    /* Else sorting the hand would deal it once more. */
    if (animationName === "deal" && target.matches(":last-child")) target.parentElement.classList.remove("dealt");
  });
})();
