/* Small warm sounds, for a child who turned them on: a card taken or put down, a row laid or
   refused, a row of another player, the end of a round; at a table of several, that it is the
   child's turn. */
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const count = () => $("hand")?.children.length ?? 0;
  const SOUNDS = {
    taken: [330],
    laid: [392, 494, 587],
    over: [392, 494, 587, 784],
    refused: [262, 233],
    theirs: [349, 440],
    down: [247],
    turn: [523, 659],
  };
  const APART = 0.09;
  const LONG = 0.35;
  const LOUD = 0.12;
  const Audio = window.AudioContext || window.webkitAudioContext; // iPadOS 14.0 has only the second
  if (!Audio) return;
  let audio;
  let held = 0;
  let over = false;
  let waits = false;

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
  const others = () => /wait.*several/.test(document.querySelector("[name=seen]").dataset.now);
  const look = () => {
    held = count();
    over = Boolean($("over"));
    waits = others();
  };
  function soundNow() {
    const cards = count();
    const has = (selector) => document.querySelector(`#board ${selector}`);
    if ($("over") && !over) return "over";
    if (waits && !others()) return "turn";
    if ($("table")?.dataset.laid) return "laid";
    if (held && cards > held) return "taken";
    if (has(".told-refusal")) return "refused";
    if (has(".bubble.fresh") && has(".table-card.new")) return "theirs";
    return cards < held ? "down" : "";
  }
  document.addEventListener("htmx:after:swap", () => {
    const sound = soundNow();
    if (sound) play(sound);
    look();
  });
  look();
})();
