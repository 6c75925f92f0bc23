/* Tells what the chosen cards make: their jumps, and nothing more. The server judges. */
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 280, MARGIN = 24, Y = 44;
  let shown = "";

  const drawn = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  const numberLine = (numbers) => {
    const low = numbers[0], high = numbers[numbers.length - 1];
    const at = numbers.map((n) => MARGIN + Math.round(((n - low) * (WIDTH - 2 * MARGIN)) / (high - low)));
    const svg = drawn("svg", { class: "number-line", viewBox: `0 0 ${WIDTH} 76`, "aria-hidden": "true" });
    svg.append(drawn("path", { class: "number-line-axis", d: `M6 ${Y}H${WIDTH - 6}` }));
    at.forEach((x, i) => {
      if (i) {
        const before = at[i - 1], middle = Math.round((before + x) / 2);
        svg.append(drawn("path", { class: "number-line-jump", d: `M${before} ${Y} Q${middle} ${Y - 36} ${x} ${Y}` }));
        svg.append(drawn("text", { class: "number-line-size", x: middle, y: 20 }, `+${numbers[i] - numbers[i - 1]}`));
      }
      svg.append(drawn("circle", { cx: x, cy: Y, r: 6 }));
      svg.append(drawn("text", { class: "number-line-number", x, y: 69 }, numbers[i]));
    });
    return svg;
  };

  const chosen = (board, name) => [...board.querySelectorAll(`input[name=${name}]:checked`)];

  const numbersOf = (board) => {
    const numbers = new Set();
    for (const input of [...chosen(board, "card"), ...chosen(board, "cross")]) {
      if (input.dataset.number) numbers.add(Number(input.dataset.number));
    }
    for (const row of chosen(board, "row")) {
      for (const card of row.value.split("-")) numbers.add(Number(card.split("=").pop()));
    }
    return [...numbers].sort((a, b) => a - b);
  };

  const label = (board, move, text) => {
    const button = board.querySelector(`#move-${move}`);
    if (!button) return;
    button.dataset.label ??= button.textContent;
    button.textContent = text || button.dataset.label;
  };

  const tell = () => {
    const board = document.getElementById("board");
    const maker = document.getElementById("maker");
    if (!board || !maker) return;
    const cards = chosen(board, "card"), places = [...chosen(board, "row"), ...chosen(board, "cross")];
    const numbers = numbersOf(board);
    const one = cards.length === 1 && !places.length && cards[0].dataset.number;
    label(board, "discard", one ? maker.dataset.discard.replace("{card}", one) : "");
    label(board, "lay", places.length && cards.length ? maker.dataset.add : "");
    const key = `${numbers}/${cards.length}`;
    if (key === shown || !cards.length) {
      if (!cards.length && maker.querySelector(".made")) maker.replaceChildren(...(maker.kept || []));
      shown = key;
      return;
    }
    shown = key;
    if (numbers.length < 2) return;
    const jumps = numbers.slice(1).map((n, i) => n - numbers[i]);
    const same = new Set(jumps).size === 1;
    const words = same ? maker.dataset.even.replace("{jump}", jumps[0]) : maker.dataset.uneven.replace("{jumps}", jumps.join(", "));
    const line = document.createElement("p");
    line.className = "made";
    line.textContent = `${numbers.join(", ")} — ${words}`;
    maker.kept ??= [...maker.childNodes];
    maker.replaceChildren(line, numberLine(numbers));
    document.getElementById("live").textContent = line.textContent;
  };

  let focused = "";
  document.addEventListener("change", tell);
  document.addEventListener("htmx:before:swap", () => { focused = document.activeElement?.id || ""; });
  document.addEventListener("htmx:after:swap", () => {
    shown = "";
    tell();
    const board = document.getElementById("board");
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
    else if (focused) board?.querySelector(".actions .btn-primary, .hand-card input")?.focus();
  });
})();
