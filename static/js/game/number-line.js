/* Numbers and their jumps, as games/screen/hint_pictures.py draws them, with its measures. */
import { board, make } from "./board.js";

const line = JSON.parse(board.dataset.line);

export function numberLine(numbers, jokers) {
  const { y } = line;
  const low = numbers[0];
  const span = numbers.at(-1) - low;
  const at = numbers.map((number) => Math.round(line.left + ((number - low) * line.room) / span));
  const close = +at.some((x, i) => x - at[i - 1] < line.apart);
  const drawn = numbers.map((number, i) => {
    const x = at[i];
    const before = at[i - 1];
    const middle = (before + x) >> 1;
    const lower = (i % 2) * close * line.aside;
    const path = i && `<path class="jump" d="M${before} ${y}Q${middle} ${line.top} ${x} ${y}"/>`;
    const label = `+${number - numbers[i - 1]}`;
    const over =
      x - before > line.narrow &&
      `<text class="jump-label" x="${middle}" y="${line.jump - lower}">${label}</text>`;
    const name = jokers.has(number) ? `${number}★` : number;
    return `${path || ""}${over || ""}<circle cx="${x}" cy="${y}" r="${line.radius[close]}"/>
      <text x="${x}" y="${line.number + lower}">${name}</text>`;
  });
  const innerHTML = `<svg class="number-line" viewBox="${line.box[close]}" aria-hidden="true">
    <path class="axis" d="${line.axis}"/>${drawn.join("")}</svg>`;
  return make("template", { innerHTML }).content;
}
