/* Small warm sounds, for a child who turned them on: a card taken or put down, a row laid or refused,
   a row of another player, the end of a round; at a table of several, that it is the child's turn. */
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id), count = () => $("hand")?.children.length ?? 0;
  const SOUNDS = { taken: [330], laid: [392, 494, 587], over: [392, 494, 587, 784], refused: [262, 233], theirs: [349, 440], down: [247], turn: [523, 659] };
  const APART = .09, LONG = .35, LOUD = .12;
  const Audio = window.AudioContext || window.webkitAudioContext; // iPadOS 14.0 has only the second
  if (!Audio) return;
  let audio, held = 0, over = false, waits = false;

  function play(name) {
    audio ??= new Audio();
    SOUNDS[name].forEach((pitch, i) => {
      const tone = audio.createOscillator(), volume = audio.createGain(), at = audio.currentTime + i * APART;
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(LOUD, at + .02);
      volume.gain.exponentialRampToValueAtTime(.001, at + LONG);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + LONG);
    });
  }

  /* Whether another child has the turn. */
  const others = () => /wait.*several/.test(document.querySelector("[name=seen]").dataset.now);
  const look = () => { held = count(); over = Boolean($("over")); waits = others(); };
  document.addEventListener("htmx:after:swap", () => {
    const cards = count(), has = (selector) => document.querySelector(`#board ${selector}`);
    const sound = $("over") && !over ? "over" : waits && !others() ? "turn" : $("table")?.dataset.laid ? "laid" : held && cards > held ? "taken"
      : has(".told-refusal") ? "refused" : has(".bubble.fresh") && has(".table-card.new") ? "theirs" : cards < held ? "down" : "";
    if (sound) play(sound);
    look();
  });
  look();
})();
