/* Reads texts aloud with a voice of this device in the page's language. Without such a voice the
   buttons stay hidden. */
import { all, on } from "./dom.js";
import { words } from "./parts.js";

const SILENT = "[hidden], [aria-hidden=true], [data-read], svg:not([role]), dialog";
const speech = window.speechSynthesis;
let voice;
let reading; // the button

function textOf(node) {
  if (node.nodeType === 3) return node.data.replace(/\s+/g, " ");
  if (node.nodeType !== 1 || node.matches(SILENT) || !node.checkVisibility()) return "";
  if (node.matches("input, button, a, [role=img]") && node.ariaLabel) return `${node.ariaLabel}\n`;
  const inner = [...node.childNodes].map(textOf).join("");
  return getComputedStyle(node).display.startsWith("inline") ? inner : `\n${inner}\n`;
}

function stopReading() {
  speech.cancel();
  if (reading) reading.ariaPressed = false;
  reading = null;
}

function read(button) {
  reading = button;
  button.ariaPressed = true;
  const text = all(button.dataset.read).map(textOf).join("\n");
  for (const line of text.match(/.*[\p{L}\p{N}].*/gu) || []) {
    const times = line.trim().replace(/(\d)\s[×·]\s(?=\d)/g, `$1 ${words.times} `);
    const sentence = new SpeechSynthesisUtterance(times);
    sentence.voice = voice;
    sentence.lang = voice.lang;
    sentence.onend = () => speech.pending || stopReading();
    speech.speak(sentence);
  }
}

function showButtons() {
  const { lang } = document.documentElement;
  const voices = speech.getVoices() || [];
  voice = voices.find((one) => one.localService && one.lang.startsWith(lang));
  for (const button of all("[data-read]")) button.hidden = !voice;
}

if (speech) {
  on("click", ({ target }) => {
    const button = target.closest("[data-read]");
    const isSame = button === reading;
    if (!button) return;
    stopReading();
    if (!isSame) read(button);
  });
  on("htmx:after:settle", () => {
    stopReading();
    showButtons();
  });
  addEventListener("pagehide", stopReading);
  // Safari of iPadOS 15 has its voices at once, and no such event.
  speech.addEventListener?.("voiceschanged", showButtons);
  showButtons();
}
