/* Covers the page while the teacher pauses all screens; the page stays as it is, unless the time of
   a question is running. When the teacher shows a hand, the page goes there, once for each hand,
   but not from a question. */
import { $ } from "./dom.js";
import { setOpen, words } from "./parts.js";

const cover = $("paused");
let asks; // one at a time, aborted when the network hangs

export function pause(paused) {
  if (paused === (cover ? cover.hasAttribute("open") : true)) return;
  if (!cover || $("check")) location.reload();
  else setOpen(cover, paused);
}

function obey(text) {
  if (!/^(paused|[\da-f-]{36})?$/.test(text)) return;
  pause(text === "paused");
  if (text[8] === "-" && text !== words.hand && !$("check")) location.assign(words.handAt);
}

function askTeacher() {
  if (asks || document.hidden) return;
  asks = new AbortController();
  const timeout = setTimeout(() => asks.abort(), 9000);
  fetch(words.pause, { signal: asks.signal })
    .then((answer) => (answer.ok ? answer.text() : "-"))
    .then(obey, () => 0)
    .finally(() => {
      clearTimeout(timeout);
      asks = null;
    });
}

if (words.pause) setInterval(askTeacher, 3000);
