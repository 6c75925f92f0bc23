/* What every page for children does itself: a slow network, a shared computer, keys, a voice.
   One file, for each costs a slow school a request. Without it every form works all the same. */
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const on = (name, heard) => document.addEventListener(name, heard);
  const all = (selector) => [...document.querySelectorAll(selector)];

  /* The network: a tap on its way says so; a lost answer is asked for again with the same key. */
  const told = $("network"), words = told.dataset;
  const LONGEST = 12000;
  let again;

  function tell(text = "", button = "") {
    again = button && again;
    told.firstChild.textContent = text;
    told.lastChild.textContent = button;
    told.hidden = !text;
  }
  const wait = () => tell(words.waiting);

  async function send(url, request, tries = 0) {
    const late = setTimeout(wait, 2500);
    try {
      const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(LONGEST) });
      const text = await answer.text();
      if (answer.status > 428) throw answer;
      return new Response(text || null, answer);
    } catch (problem) {
      // Only what the server carries out once may be sent twice.
      if (tries > 2 || !request.body?.has("key")) throw problem;
      wait();
      // A busy site says for how many seconds; not all who wait come back at once.
      const pause = Math.min(problem.headers?.get("Retry-After"), 12) || 4 ** tries / 4;
      await new Promise((done) => setTimeout(done, pause * (1000 + Math.random() * 500)));
      return send(url, request, tries + 1);
    } finally {
      clearTimeout(late);
    }
  }

  const done = () => all(".sent").forEach((pressed) => pressed.classList.remove("sent"));
  on("htmx:config:request", ({ detail }) => { detail.ctx.fetch = send; });
  on("htmx:before:response", (event) => {
    tell();
    if (event.detail.ctx.response.status > 399) { event.preventDefault(); location.reload(); }
  });
  on("htmx:error", ({ detail: { ctx } }) => {
    if (!ctx) return;
    again = () => { wait(); ctx.request.form.requestSubmit(ctx.request.submitter); };
    tell(words.lost, words.again);
  });
  on("htmx:finally:request", done);
  addEventListener("online", () => again && again());
  told.lastChild.onclick = () => again();

  // A second tap while the first is on its way is none.
  on("submit", (event) => {
    if (event.defaultPrevented || !event.target.querySelector(".sent")) event.submitter?.classList.add("sent");
    else event.preventDefault();
    setTimeout(done, LONGEST);
  });

  /* A shared computer: no kept page, and after 20 idle minutes (the server's too) none at all. */
  addEventListener("pageshow", (event) => event.persisted ? location.reload() : done());
  const away = $("away");
  if (away) {
    let last = Date.now(), moved, gone;
    const heard = () => { last = Date.now(); moved = 0; away.close(); };
    // Once: a second reload would no longer have the cookie that says which class it was.
    const leave = () => { if (!gone) location.reload(); gone = 1; };
    const ask = () => fetch(words.here, { redirect: "manual" })
      .then((answer) => answer.ok ? heard() : leave(), () => 0);
    // By the clock: a computer that slept has been idle too.
    setInterval(() => {
      const idle = (Date.now() - last) / 60000;
      if (idle > 20 || (idle > 18 && moved)) ask();
      else if (idle > 18 && !away.open) away.showModal();
    }, 5000);
    away.onclose = ask;
    on("htmx:after:request", heard);
    on("pointerdown", () => { moved = 1; });
    on("keydown", () => { moved = 1; });
  }

  /* Keys: arrows go from card to card, ? opens the help. */
  const help = $("help");
  on("keydown", (event) => {
    const { target, key } = event;
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
    const box = step && target.closest("[data-arrows]");
    if (box && box !== target) {
      const items = [...box.querySelectorAll("a, button, input")];
      items[items.indexOf(target) + step]?.focus();
      event.preventDefault();
    }
    if (help && ((key === "?" && !target.matches(":read-write")) || (key === "Escape" && help.open))) {
      help.open = !help.open;
      help.firstElementChild.focus();
    }
  });

  /* A voice: of this machine, in the page's language; where there is none, no button. */
  const speech = window.speechSynthesis;
  const SILENT = "[hidden], [aria-hidden=true], [data-read], svg:not([role]), dialog";
  let voice, reading;

  function heard(node) {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.matches(SILENT) || !node.checkVisibility()) return "";
    if (node.matches("input, button, a, [role=img]") && node.ariaLabel) return `${node.ariaLabel}\n`;
    const inner = [...node.childNodes].map(heard).join("");
    return getComputedStyle(node).display.startsWith("inline") ? inner : `\n${inner}\n`;
  }

  function stop() {
    speech.cancel();
    if (reading) reading.ariaPressed = false;
    reading = null;
  }

  function read(button) {
    reading = button;
    button.ariaPressed = true;
    const text = all(button.dataset.read).map(heard).join("\n");
    for (const line of text.match(/.*[\p{L}\p{N}].*/gu) || []) {
      const said = new SpeechSynthesisUtterance(line.trim().replace(/(\d)\s[×·]\s(?=\d)/g, `$1 ${words.times} `));
      said.voice = voice;
      said.lang = voice.lang;
      said.onend = () => speech.pending || stop();
      speech.speak(said);
    }
  }

  function show() {
    voice = speech.getVoices().find((one) => one.localService && one.lang.startsWith(document.documentElement.lang));
    for (const button of all("[data-read]")) button.hidden = !voice;
  }

  if (!speech) return;
  on("click", ({ target }) => {
    const button = target.closest("[data-read]"), same = button === reading;
    if (!button) return;
    stop();
    if (!same) read(button);
  });
  on("htmx:after:settle", () => { stop(); show(); });
  addEventListener("pagehide", stop);
  speech.addEventListener("voiceschanged", show);
  show();
})();
