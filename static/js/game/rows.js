/* What the page knows before the server answers: whether the chosen cards make a row. The rules
   are those of games/screen/board.py; the server still judges. */
import { $, all, board, rowsAt } from "./board.js";

const SHORTEST = 3;
const JOKERS = 4;
const rules = JSON.parse(board.dataset.rules);

/* The rows that these numbers and this many jokers can make, each with its kind and jump. */
function rowsOf(numbers, jokers, { highest, back, tables, families }) {
  const size = numbers.length + jokers;
  const kinds = new Map();
  if (size < SHORTEST || jokers > JOKERS || new Set(numbers).size < numbers.length) return [];
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
      (tables && (from || !tables.includes(jump)))
    )
      continue;
    if (back && !back.some((end) => end % jump === from)) continue;
    const room = Math.floor((low - 1) / jump) + Math.floor((highest - high) / jump);
    const outside = size - 1 - (high - low) / jump;
    if (outside >= 0 && outside <= room)
      kinds.set(jump, [from || jump < 2 ? "steps" : "table", jump]);
  }
  for (const [name, run] of Object.entries(families)) {
    const at = own.map((number) => run.indexOf(number));
    const outside = size - 1 - at.at(-1) + at[0];
    if (at.includes(-1) || outside < 0 || run.length < size) continue;
    /* A row of no table has the name of its family. */
    const table = [...kinds.values()].find(([kind]) => kind !== "steps");
    if (!jokers && table) continue;
    if (!jokers) kinds.clear();
    kinds.set(name, [name, 0]);
  }
  return [...kinds.values()];
}

export const numbersOf = (hand) =>
  hand.filter((box) => box.dataset.number).map((box) => +box.dataset.number);

/* What a choice means: a row across the chosen cards of the table, or else with the rows of these
   cards, as for the server (`plays_of_tap` in games/engine/plays.py); and in how many ways. */
export function chosen(boxes = all("#hand :checked, #table :checked")) {
  const crossed = boxes.filter((box) => box.name === "cross");
  let meanings = [[]];
  for (const row of new Set(crossed.flatMap((box) => rowsAt(box.parentElement))))
    meanings = meanings.flatMap((rows) => [rows, [...rows, row]]);
  const read = meanings.map((rows) => readAll(boxes, rows));
  const made = read.filter((meant) => rowsMade(meant)?.length);
  return { ...(made[0] ?? read[0]), ways: made.length };
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
  const swaps = swapped.length;
  return {
    swapped,
    hand,
    rows: rows.length,
    places: rows.length + cards.length,
    numbers,
    jokers,
    swaps,
    twice: numbers.length < laid.length + lying.length || new Set(at).size < at.length,
    at,
  };
}

/* The rows that a choice can make; undefined if only the server can say. */
function rowsMade({ hand, places, numbers, jokers, twice }) {
  if (!hand.length || twice) return undefined;
  const { dataset, children } = $("hand");
  if ((places && !("mayAdd" in dataset)) || children.length - hand.length < rules.keep) return [];
  return rowsOf(numbers, jokers, rules);
}

/* The one row that a choice makes, low to high, with its jokers where they fit; undefined if
   there is none or more than one. */
export function rowOf(now) {
  const { numbers, jokers } = now;
  const made = rowsMade(now) ?? [];
  if (made.length !== 1 || !numbers.length) return undefined;
  const [[name, jump]] = made;
  const size = numbers.length + jokers;
  const most = Math.floor(rules.highest / jump) + 1;
  const run =
    rules.families[name] ??
    Array.from({ length: most }, (_, i) => (numbers[0] % jump) + i * jump).filter(
      (n) => n && n <= rules.highest,
    );
  const from = Math.min(run.indexOf(numbers[0]), run.length - size);
  return run.slice(from, from + size).map((number) => [number, !numbers.includes(number)]);
}

const nameOf = ([kind, jump], { names }) =>
  names[jump === 1 ? "neighbours" : kind].replace("{n}", jump);
export const namesOf = (numbers, jokers, own) =>
  rowsOf(numbers, jokers, own).map((made) => nameOf(made, own));
export const fits = (boxes) => chosen(boxes).ways > 0;

/* The rows and cards of the table that complete the choice, alone or with one more: the server
   finds which. A joker alone would fit nearly everywhere. */
export function reach(before) {
  const boxes = all("#hand :checked, #table :checked");
  if (before.ways || !(before.swaps || before.numbers.length)) return [];
  const completing = (own, kind) =>
    all("#table input:not(:checked)").filter((place) => {
      const both = [...own, place];
      const now = readAll(both);
      if (kind) return now[kind] > before[kind] && completing(both).length;
      return !/ /.test(now.at) && rowsMade(now)?.length;
    });
  let found = [];
  for (const kind of ["", "swaps", "rows"]) if (!found.length) found = completing(boxes, kind);
  return found;
}
/* Whether the chosen cards can be laid. */
export const lays = (now = chosen(), reached) =>
  now.ways || (now.swaps && (reached ?? reach(now)).length);

/* The words for the row, or that it is not a row yet; empty if that is not news. */
export function verdict(now, reached, words) {
  const made = rowsMade(now);
  if (!made) return "";
  if (!made.length && reached.length) return now.swaps ? words.reaches : "";
  if (now.numbers.length + now.jokers < SHORTEST) return now.swaps ? words.swap : "";
  if (!made.length) return words.noRow;
  return made.length > 1 ? "" : words.row.replace("{row}", nameOf(made[0], rules));
}
