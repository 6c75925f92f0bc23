/* Judges a choice before the server answers, by the rules in `data-rules` (games/screen/board.py).
   `readChoice` means the same as `plays_of_tap` in games/engine/plays.py; the server decides. */
import { $, all } from "../page/dom.js";
import { board, rowsAt } from "./board.js";

const SHORTEST = 3;
const rules = JSON.parse(board.dataset.rules);

/* The rows that these numbers and this many jokers can make, each with its kind and jump. */
export function rowsOf(numbers, jokers, { highest, back, tables, families }) {
  const size = numbers.length + jokers;
  const kinds = new Map();
  if (size < SHORTEST || new Set(numbers).size < numbers.length) return [];
  if (!numbers.length) {
    for (let number = 1; number <= highest; number++)
      for (const kind of rowsOf([number], jokers - 1, { highest, back, tables, families }))
        kinds.set(kind.join(), kind);
    return [...kinds.values()];
  }
  const own = [...numbers].sort((a, b) => a - b);
  const low = own[0];
  const high = own.at(-1);
  for (let jump = 1; jump < highest / 2; jump++) {
    const from = low % jump;
    if (
      own.some((number) => number % jump !== from) ||
      (tables && (from || !tables.includes(jump))) ||
      (back && !back.some((end) => end % jump === from))
    )
      continue;
    const room = Math.floor((low - 1) / jump) + Math.floor((highest - high) / jump);
    const outside = size - 1 - (high - low) / jump;
    if (outside >= 0 && outside <= room)
      kinds.set(jump, [from || jump < 2 ? "steps" : "table", jump]);
  }
  for (const [name, run] of Object.entries(families)) {
    const at = own.map((number) => run.indexOf(number));
    const outside = size - 1 - at.at(-1) + at[0];
    if (at.includes(-1) || outside < 0 || run.length < size) continue;
    /* Without jokers, only a row of no times table has the name of its family. */
    const table = [...kinds.values()].find(([kind]) => kind !== "steps");
    if (!jokers && table) continue;
    if (!jokers) kinds.clear();
    kinds.set(name, [name, 0]);
  }
  return [...kinds.values()];
}

export const numbersOf = (hand) =>
  hand.filter((box) => box.dataset.number).map((box) => +box.dataset.number);

/* A choice as a row across the chosen cards of the table or, if that is no row, with the rows of
   these cards. `ways` says how many such readings are rows. */
export function readChoice(boxes = all("#hand :checked, #table :checked")) {
  const crossed = boxes.filter((box) => box.name === "cross");
  let meanings = [[]];
  for (const row of new Set(crossed.flatMap((box) => rowsAt(box.parentElement))))
    meanings = meanings.flatMap((rows) => [rows, [...rows, row]]);
  const readings = meanings.map((rows) => readAll(boxes, rows));
  const valid = readings.filter((reading) => rowsIn(reading)?.length);
  return { ...(valid[0] ?? readings[0]), ways: valid.length };
}

/* The numbers of these cards and places, low to high, and how many jokers they lay. A joker chosen
   with its number is swapped: the number goes to its place, and the joker into the new row. */
function readAll(boxes, whole = []) {
  const hand = boxes.filter((box) => box.name === "card");
  const tags = boxes.filter((box) => box.name === "row");
  const rows = [...new Set([...tags.map((box) => box.closest(".table-row")), ...whole])];
  const cards = boxes.filter(
    (box) => box.name === "cross" && !rowsAt(box.parentElement).some((row) => whole.includes(row)),
  );
  const own = numbersOf(hand);
  const swapped = numbersOf(
    cards.filter((box) => own.includes(+box.dataset.number) && /^[a-d]/.test(box.value)),
  );
  const across = cards.filter((box) => !swapped.includes(+box.dataset.number));
  const lying = [
    ...numbersOf(across),
    ...rows.flatMap((row) => row.dataset.numbers.split(" ").map(Number)),
  ];
  /* A row across takes one card of each row, and none where two cross. */
  const at = across.map((box) => box.parentElement.dataset.rows);
  const laid = own.filter((number) => !swapped.includes(number));
  const numbers = [...new Set([...laid, ...lying])].sort((a, b) => a - b);
  const jokers = hand.length - laid.length;
  return {
    swapped,
    hand,
    rows: rows.length,
    places: rows.length + cards.length,
    numbers,
    jokers,
    swaps: swapped.length,
    twice: numbers.length < laid.length + lying.length || new Set(at).size < at.length,
    at,
  };
}

/* The rows that a choice can make; undefined if only the server can say. */
function rowsIn({ hand, places, numbers, jokers, twice }) {
  if (!hand.length || twice) return undefined;
  const { dataset, children } = $("hand");
  if ((places && !("mayAdd" in dataset)) || children.length - hand.length < rules.keep) return [];
  return rowsOf(numbers, jokers, rules);
}

/* Whether more cards can make a row of the choice. */
export const canGrow = ({ numbers, jokers }) =>
  [0, 1, 2, 3, 4, 5, 6].some((more) => rowsOf(numbers, jokers + more, rules).length);

/* The one row that a choice makes, low to high, with its jokers where they fit; undefined if
   there is none or more than one. */
export function rowOf(choice) {
  const { numbers, jokers } = choice;
  const rows = rowsIn(choice) ?? [];
  if (rows.length !== 1 || !numbers.length) return undefined;
  const [[name, jump]] = rows;
  const { highest: length, families } = rules;
  const size = numbers.length + jokers;
  const steps = Array.from({ length }, (_, i) => (numbers[0] % jump) + i * jump);
  const run = families[name] ?? steps.filter((number) => number && number <= length);
  const from = Math.min(run.indexOf(numbers[0]), run.length - size);
  return run.slice(from, from + size).map((number) => [number, !numbers.includes(number)]);
}

export const nameOf = ([kind, jump], { names } = rules) =>
  names[jump === 1 ? "neighbours" : kind].replace("{n}", jump);
export const fits = (boxes) => readChoice(boxes).ways > 0;

/* In a riddle, a single card does not show where it fits. */
export const hides = ({ hand, places }) => "riddle" in board.dataset && hand.length + places < 2;

/* The places of the table that complete the choice, alone or with another one, which the server
   finds. Empty for a joker alone, which fits nearly everywhere. */
export function reachable(before) {
  const boxes = all("#hand :checked, #table :checked");
  if (before.ways || hides(before) || !(before.swaps || before.numbers.length)) return [];
  const completing = (own, kind) =>
    all("#table input:not(:checked)").filter((place) => {
      const both = [...own, place];
      const reading = readAll(both);
      if (kind) return reading[kind] > before[kind] && completing(both).length;
      return !/ /.test(reading.at) && rowsIn(reading)?.length;
    });
  let found = [];
  for (const kind of ["", "swaps", "rows"]) if (!found.length) found = completing(boxes, kind);
  return found;
}
/* Whether the chosen cards can be laid. */
export const canLay = (choice = readChoice(), reached) =>
  choice.ways || (choice.swaps && (reached ?? reachable(choice)).length);

/* The words for the row, or that it is not a row yet; empty if that is not news. */
export function verdict(choice, reached, words) {
  const rows = rowsIn(choice);
  if (!rows) return "";
  if (!rows.length && reached.length) return choice.swaps ? words.reaches : "";
  const isShort = choice.numbers.length + choice.jokers < SHORTEST;
  if (isShort && choice.swaps) return words.swap;
  if (!rows.length && canGrow(choice)) return isShort ? "" : words.noRow;
  if (!rows.length)
    return choice.places && choice.hand.length < 2
      ? words.noFit.replace("{card}", numbersOf(choice.hand))
      : words.noRow;
  return rows.length > 1 ? "" : words.row.replace("{row}", nameOf(rows[0]));
}
