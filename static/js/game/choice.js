/* What the page says about the chosen cards before the server answers. */
import { $, all } from "../page/dom.js";
import { board, make, state, unchoose } from "./board.js";
import { numberLine } from "./number-line.js";
import { showNeeded, showPlaces, showTouched } from "./places.js";
import { canGrow, canLay, reachable, readChoice, rowOf, verdict } from "./rows.js";
import { showSome, showZoom } from "./table.js";

function describe(choice, reached) {
  const { numbers, jokers, swaps, swapped } = choice;
  const box = $("chosen");
  if (!box) return;
  const asks = !state.isChanged && board.querySelector(".told-refusal, .choices-panel");
  box.hidden = asks || numbers.length + jokers + swaps < 2;
  if (box.hidden) return;
  const row = jokers ? rowOf(choice) : numbers.map((number) => [number, false]);
  const shown = (row ?? []).map(([number]) => number);
  const jumps = shown.slice(1).map((number, i) => number - shown[i]);
  const nameCard = ([number, joker]) => (joker ? `${number} (${box.dataset.joker})` : number);
  const cards = row?.map(nameCard) ?? [...numbers, ...Array(jokers).fill(box.dataset.joker)];
  let words = cards.join(", ");
  if (jumps.length) {
    words = box.dataset.jumps
      .replace("{numbers}", words)
      .replace("{jumps}", [...new Set(jumps)].join(", "));
  }
  if (swaps && !numbers.length) words = `${swapped.join(", ")} ↔ ${box.dataset.joker}`;
  const first = $("do-draw-closed") && box.dataset.first;
  const sentences = [verdict(choice, reached, box.dataset), first];
  box.replaceChildren(
    make("p", { className: "chosen-text", textContent: words }),
    make("p", { className: "chosen-row", textContent: sentences.filter(Boolean).join(" ") }),
    ...(jumps.length ? [numberLine(shown, new Set(shown.filter((_, i) => row[i][1])))] : []),
  );
}

/* The key of the words for the button that lays the choice. */
function layKey(choice, reached) {
  const { hand, numbers, places, rows, swaps, ways } = choice;
  if (!places && reached.length && reached.every((place) => place.name === "row")) return "add";
  /* Jokers whose number is chosen: no row has a number twice. */
  if (!places && reached.length && reached.every((box) => numbers.includes(+box.dataset.number)))
    return "swap";
  if (!places && reached.length === 1) return "over";
  if (!places || !hand.length) return "plain";
  if (rows) return rows > 1 ? "join" : "add";
  if (swaps === places) return "swap";
  return ways > 1 || !canGrow(choice) ? "plain" : "across"; // the server asks which is meant
}

/* Choose the one place of the table that the button means. */
export function choosePlace() {
  const choice = readChoice();
  const reached = reachable(choice);
  if (!choice.places && reached.length === 1) reached[0].checked = true;
}

/* The buttons name what they would do with the choice; what each does never changes. */
function nameButtons(choice, reached) {
  const { hand, places, numbers } = choice;
  const lay = $("do-lay");
  const discard = $("do-discard");
  if (lay) {
    lay.dataset.plain ??= lay.textContent;
    const number = reached[0]?.dataset.number;
    lay.textContent = lay.dataset[layKey(choice, reached)]
      .replace("{numbers}", [...numbers, +number].sort((a, b) => a - b).join(" – "))
      .replace("{number}", number);
  }
  if (!discard) return;
  const isOne = hand.length === 1 && !places;
  discard.dataset.plain ??= discard.textContent;
  const words = isOne && (hand[0].dataset.number ? discard.dataset.one : discard.dataset.joker);
  discard.textContent = isOne
    ? words.replace("{card}", hand[0].dataset.number)
    : discard.dataset.plain;
}

/* Classes for the styles, which would search too long with `:has` at every tap. */
const toggle = (name, on) => board.classList.toggle(name, Boolean(on));
toggle("scripted", true);
function setClasses(choice, reached) {
  const { hand, places, numbers } = choice;
  toggle("fits", $("do-lay") && canLay(choice, reached));
  toggle("reaches", $("do-lay") && reached.length);
  toggle("puts-down", hand.length === 1 && numbers.length && !places && !reached.length);
  toggle("chooses", hand.length);
  toggle("says-chosen", $("chosen")?.hidden === false);
  toggle("lit-left", board.querySelector(".lit > input:not(:checked)"));
}

export function showChoice() {
  waits = false;
  const choice = readChoice();
  showPlaces(choice);
  const reached = reachable(choice);
  showNeeded(choice, reached);
  describe(choice, reached);
  nameButtons(choice, reached);
  setClasses(choice, reached);
  if (state.isChanged && choice.hand.length && !choice.places)
    showSome([...all(".end:not(.no-fit)"), ...reached.map((box) => box.parentElement)]);
  showTouched();
}

/* The first card of a new choice removes what the page says about the last one. */
function endAsking() {
  const { dataset } = document.documentElement;
  dataset.now = dataset.now.replace("choices", "");
  board.querySelector(".choices-panel")?.remove();
  toggle("changed", true);
}

/* Paint the tapped card first, then what the choice changes. The coach's card replaces cards that
   make no row with it. With the last card of the hand, what was chosen for it on the table goes. */
let waits = false;
export function choiceChanged(event) {
  if (event && !state.isChanged) endAsking();
  if ($("guide") && event?.target.closest(".lit") && !canGrow(readChoice()))
    unchoose("#hand :not(.lit) > :checked");
  if (event?.target.name === "card" && !all("#hand :checked").length) unchoose("#table :checked");
  state.isChanged = true;
  showZoom();
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => setTimeout(showChoice));
}
board.addEventListener("change", choiceChanged);
