/* Numbers and their jumps, as games/screen/hint_pictures.py draws them, with its measures. */
import { board } from "./board.js";

const SVG = "http://www.w3.org/2000/svg";
const measures = JSON.parse(board.dataset.line);

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

export function numberLine(numbers, jokers) {
  const {
    left,
    room,
    apart,
    box,
    axis,
    aside,
    y,
    top,
    jump,
    narrow,
    radius,
    number: under,
  } = measures;
  const low = numbers[0];
  const span = numbers.at(-1) - low;
  const at = numbers.map((number) => Math.round(left + ((number - low) * room) / span));
  const close = +at.some((x, i) => x - at[i - 1] < apart);
  const svg = element("svg", { class: "number-line", viewBox: box[close], "aria-hidden": "true" });
  svg.append(element("path", { class: "axis", d: axis }));
  numbers.forEach((number, i) => {
    const x = at[i];
    const before = at[i - 1];
    const middle = (before + x) >> 1;
    const lower = (i % 2) * close * aside;
    if (i) {
      svg.append(
        element("path", { class: "jump", d: `M${before} ${y}Q${middle} ${top} ${x} ${y}` }),
      );
      if (x - before > narrow)
        svg.append(
          element(
            "text",
            { class: "jump-label", x: middle, y: jump - lower },
            `+${number - numbers[i - 1]}`,
          ),
        );
    }
    svg.append(element("circle", { cx: x, cy: y, r: radius[close] }));
    svg.append(
      element("text", { x, y: under + lower }, jokers.has(number) ? `${number}★` : number),
    );
  });
  return svg;
}
