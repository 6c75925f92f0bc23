/* Plays small warm sounds for a child who has turned them on: when a card is taken or put down,
   when a row is laid or refused, when another player lays a row, when the round ends, and, at a
   table of several, when the child's turn begins. */
import { $, on } from "./page/dom.js";

const count = () => $("hand")?.children.length ?? 0;
const SOUNDS = {
  taken: [330],
  laid: [392, 494, 587],
  over: [392, 494, 587, 784],
  refused: [262, 233],
  othersRow: [349, 440],
  down: [247],
  turn: [523, 659],
};
const APART = 0.09; // between tones, in seconds
const LONG = 0.35; // of a tone, in seconds
const LOUD = 0.12;
const Audio = window.AudioContext || window.webkitAudioContext; // iPadOS 14.0 has only the second
let audio;
let cardsBefore = 0;
let wasOver = false;
let wasOthersTurn = false;

function play(name) {
  audio ??= new Audio();
  SOUNDS[name].forEach((pitch, i) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = audio.currentTime + i * APART;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(LOUD, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + LONG);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + LONG);
  });
}

/* Whether another child has the turn. */
const isOthersTurn = () =>
  /wait.*several/.test(document.querySelector("[name=seen]").dataset.now);
const remember = () => {
  cardsBefore = count();
  wasOver = Boolean($("over"));
  wasOthersTurn = isOthersTurn();
};
function soundNow() {
  const cards = count();
  const has = (selector) => document.querySelector(`#board ${selector}`);
  if ($("over") && !wasOver) return "over";
  if (wasOthersTurn && !isOthersTurn()) return "turn";
  if ($("table")?.dataset.laid) return "laid";
  if (cardsBefore && cards > cardsBefore) return "taken";
  if (has(".told-refusal")) return "refused";
  if (has(".bubble.fresh") && has(".table-card.new")) return "othersRow";
  return cards < cardsBefore ? "down" : "";
}
if (Audio) {
  on("htmx:after:swap", () => {
    const sound = soundNow();
    if (sound) play(sound);
    remember();
  });
  remember();
}
