/* What the page says about the chosen cards before the server answers. */
import { $, board, make, state } from "./board.js";
import { numberLine } from "./number-line.js";
import { showNeeded, showPlaces, showTouched } from "./places.js";
import { chosen, lays, reach, rowOf, verdict } from "./rows.js";
import { showZoom } from "./table.js";

function describe(now, reached) {
  const { numbers, jokers, swaps, swapped } = now;
  const box = $("chosen");
  if (!box) return;
  const asks = !state.isChanged && board.querySelector(".told-refusal, .choices-panel");
  box.hidden = asks || numbers.length + jokers + swaps < 2;
  if (box.hidden) return;
  const row = jokers ? rowOf(now) : numbers.map((number) => [number, false]);
  const shown = (row ?? []).map(([number]) => number);
  const jumps = shown.slice(1).map((number, i) => number - shown[i]);
  const named = ([number, joker]) => (joker ? `${number} (${box.dataset.joker})` : number);
  let words = (row ? row.map(named) : [...numbers, ...Array(jokers).fill(box.dataset.joker)]).join(
    ", ",
  );
  if (jumps.length) {
    const even = new Set(jumps).size === 1;
    words = (even ? box.dataset.even : box.dataset.uneven)
      .replace("{numbers}", words)
      .replace("{jump}", jumps[0])
      .replace("{jumps}", `${jumps.slice(0, -1).join(", ")} ${box.dataset.and} ${jumps.at(-1)}`);
  }
  if (swaps && !numbers.length) words = `${swapped.join(", ")} ↔ ${box.dataset.joker}`;
  const made = [verdict(now, reached, box.dataset), $("do-draw-closed") && box.dataset.first];
  box.replaceChildren(
    make("p", { className: "chosen-text", textContent: words }),
    make("p", { className: "chosen-row", textContent: made.filter(Boolean).join(" ") }),
    ...(jumps.length ? [numberLine(shown, new Set(shown.filter((_, i) => row[i][1])))] : []),
  );
}

/* What laying would do with the choice: the name of the words on the button. */
function laying({ hand, numbers, places, rows, swaps, ways }, reached) {
  if (!places && reached.length && reached.every((place) => place.name === "row")) return "add";
  /* A joker whose number is chosen: no row has a number twice. */
  if (!places && reached.length === 1)
    return numbers.includes(+reached[0].dataset.number) ? "swap" : "over";
  if (!places || !hand.length) return "plain";
  if (rows) return rows > 1 ? "join" : "add";
  if (swaps === places) return "swap";
  return ways > 1 ? "plain" : "across"; // the server asks which is meant
}

/* The one place of the table that the button means is chosen with it. */
export function choosePlace() {
  const now = chosen();
  const reached = reach(now);
  if (!now.places && reached.length === 1) reached[0].checked = true;
}

/* The buttons name what they would do with the choice; what each does never changes. */
function nameButtons(now, reached) {
  const { hand, places, numbers } = now;
  const lay = $("do-lay");
  const discard = $("do-discard");
  if (lay) {
    lay.dataset.plain ??= lay.textContent;
    const number = reached[0]?.dataset.number;
    lay.textContent = lay.dataset[laying(now, reached)]
      .replace("{numbers}", [...numbers, +number].sort((a, b) => a - b).join(" – "))
      .replace("{number}", number);
  }
  if (!discard) return;
  const one = hand.length === 1 && !places;
  discard.dataset.plain ??= discard.textContent;
  const down = one && (hand[0].dataset.number ? discard.dataset.one : discard.dataset.joker);
  discard.textContent = one
    ? down.replace("{card}", hand[0].dataset.number)
    : discard.dataset.plain;
}

/* For the styles, which would take long to look for it themselves at every tap (`:has`). */
const mark = (name, is) => board.classList.toggle(name, Boolean(is));
mark("scripted", true);
function marks(now, reached) {
  const { hand, places, numbers } = now;
  mark("fits", $("do-lay") && lays(now, reached));
  mark("reaches", $("do-lay") && reached.length);
  mark("puts-down", hand.length === 1 && numbers.length && !places && !reached.length);
  mark("chooses", hand.length);
  mark("says-chosen", $("chosen")?.hidden === false);
  mark("lit-left", board.querySelector(".lit > input:not(:checked)"));
}

export function showChoice() {
  waits = false;
  const now = chosen();
  showPlaces(now);
  const reached = reach(now);
  showNeeded(now, reached);
  describe(now, reached);
  nameButtons(now, reached);
  marks(now, reached);
  showTouched();
}

/* What was said about an earlier choice goes with the first card of the next one. */
function endAsking() {
  const { dataset } = document.documentElement;
  dataset.now = dataset.now.replace("choices", "");
  board.querySelector(".choices-panel")?.remove();
  mark("changed", true);
}

/* First the tapped card is painted, then what it makes. */
let waits = false;
export function choiceChanged(event) {
  if (event && !state.isChanged) endAsking();
  state.isChanged = true;
  showZoom();
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => setTimeout(showChoice));
}
board.addEventListener("change", choiceChanged);
