/* What every page for children does itself: a slow network, a shared computer, keys, a voice.
   It is one file, since each costs a slow school a request. Every form also works without it. */
(() => {
  "use strict";
  /* What browsers down to iPadOS 14 lack, before any other file uses it. */
  const lacks = ({ prototype }, name, own) => { prototype[name] ||= own; };
  lacks(Array, "at", function (i) { return this[i < 0 ? this.length + i : i]; });
  lacks(Element, "replaceChildren", function (...inner) { this.textContent = ""; this.append(...inner); });
  lacks(Element, "checkVisibility", function () { return this.getClientRects().length > 0; });
  lacks(HTMLFormElement, "requestSubmit", function ({ name = "", value = "" } = {}) {
    const twin = Object.assign(document.createElement("button"), { name, value });
    this.append(twin);
    twin.click();
    twin.remove();
  });
  let pressed; // for a submission that does not know what submitted it

  const $ = (id) => document.getElementById(id);
  const on = (name, heard) => document.addEventListener(name, heard);
  const all = (selector) => [...document.querySelectorAll(selector)];

  /* The network: a tap on its way says so; a lost answer is requested again with the same key.
     An answer without the mark came not from the site but from a filter or a portal: it counts as lost.
     Where something strips the comments of each page, the mark of an answer is its header. */
  const told = $("network"), words = told.dataset;
  const LONGEST = 12000, LOCKED = 423, BEGIN = "<!--begin-->", MARK = "<!--nmbrs-->";
  const isStripped = ![...document.childNodes].some(({ data }) => data === "nmbrs");
  let again;

  function tell(text = "", button = "") {
    again = button && again;
    told.firstElementChild.textContent = text;
    told.lastElementChild.textContent = button;
    told.hidden = !text;
  }
  const wait = () => tell(words.waiting);

  async function send(url, request, tries = 0) {
    const ended = new AbortController(), end = setTimeout(() => ended.abort(), LONGEST);
    const late = setTimeout(wait, 2500);
    // Only what the network does is lost and tried again; a fault of this file is told as one.
    let answer, body = "";
    try {
      answer = await fetch(url, { ...request, signal: ended.signal });
      body = await answer.text();
    } catch {
      answer = null;
    }
    clearTimeout(late);
    clearTimeout(end);
    const [text, ...more] = body.split(MARK);
    if (answer && answer.status < 429 && (more.length || (isStripped && answer.headers.has("X-Nmbrs"))))
      return new Response(text.split(BEGIN).pop() + MARK, answer); // without what a filter adds
    // Only what the server carries out once may be sent twice.
    if (tries > 2 || !request.body?.has("key")) throw Error("lost");
    wait();
    // A busy site says for how many seconds to wait; chance keeps all from coming back at once.
    const pause = Math.min(answer?.headers.get("Retry-After"), 12) || 4 ** tries / 4;
    await new Promise((done) => setTimeout(done, pause * (1000 + Math.random() * 500)));
    return send(url, request, tries + 1);
  }

  const done = () => all(".sent").forEach((pressed) => pressed.classList.remove("sent"));
  on("htmx:config:request", ({ detail: { ctx } }) => {
    const { request } = ctx;
    ctx.fetch = send;
    if (request.submitter || pressed?.form !== request.form || !pressed?.name) return;
    request.submitter = pressed;
    request.body.append(pressed.name, pressed.value);
  });
  on("htmx:after:request", (event) => {
    const { response: { status }, hx, text } = event.detail.ctx;
    tell();
    if (status === LOCKED) {
      event.preventDefault();
      pause(true);
      return;
    }
    // Headers may be lost on the way, and with them what was requested and where to go on.
    const isPart = status < 400 && !/^\s*(<!doctype|<!--nmbrs-->$)/i.test(text);
    if (!isPart && !hx.redirect) { event.preventDefault(); location.reload(); }
  });
  on("htmx:error", ({ detail: { ctx, error } }) => {
    if (!ctx) return;
    const isLost = error?.message === "lost";
    again = isLost ? () => { wait(); ctx.request.form.requestSubmit(ctx.request.submitter); } : () => location.reload();
    tell(isLost ? words.lost : words.broken, isLost ? words.again : words.reload);
  });
  on("htmx:finally:request", done);
  addEventListener("online", () => again?.());
  told.lastElementChild.onclick = () => again();

  // A second tap does not count while the first is on its way.
  addEventListener("click", ({ target }) => { pressed = target.closest("button"); }, true);
  on("submit", (event) => {
    if (event.defaultPrevented || !event.target.querySelector(".sent")) (event.submitter || pressed)?.classList.add("sent");
    else event.preventDefault();
    setTimeout(done, LONGEST);
  });

  /* A shared computer: no cached page, and after 20 idle minutes (on the server too) none at all. */
  addEventListener("pageshow", (event) => event.persisted ? location.reload() : done());
  const open = (dialog, is) => dialog.showModal ? is ? dialog.showModal() : dialog.close() : dialog.toggleAttribute("open", is);
  const away = $("away");
  if (away) {
    let last = Date.now(), moved, gone;
    const isHere = () => { last = Date.now(); moved = 0; open(away, false); };
    // Once: a second reload would lack the cookie that says which class it was.
    const leave = () => { if (!gone) location.reload(); gone = 1; };
    const ask = () => fetch(words.here, { redirect: "manual" })
      .then((answer) => answer.ok ? isHere() : leave(), () => 0);
    // By the clock: a computer that slept was idle too.
    setInterval(() => {
      const idle = (Date.now() - last) / 60000;
      if (idle > 20 || (idle > 18 && moved)) ask();
      else if (idle > 18 && !away.hasAttribute("open")) open(away, true);
    }, 5000);
    away.onclose = ask;
    on("htmx:after:request", ({ detail }) => detail.ctx.request.submitter?.value === "look" || isHere());
    on("pointerdown", () => { moved = 1; });
    on("keydown", () => { moved = 1; });
  }

  /* The teacher pauses all screens: the page is covered and stays as it is, unless a question's time runs.
     Or shows a hand: the page goes there, once for each hand, but not from a question. */
  const cover = $("paused");
  function pause(is) {
    if (is === (cover ? cover.hasAttribute("open") : true)) return;
    if (!cover || $("check")) location.reload();
    else open(cover, is);
  }
  let asked; // one at a time, and given up when the network hangs
  if (words.pause) setInterval(() => {
    if (asked || document.hidden) return;
    asked = new AbortController();
    const end = setTimeout(() => asked.abort(), 9000);
    fetch(words.pause, { signal: asked.signal })
      .then((answer) => answer.ok ? answer.text() : "-")
      .then((text) => {
        if (!/^(paused|[\da-f-]{36})?$/.test(text)) return;
        pause(text === "paused");
        if (text[8] === "-" && text !== words.hand && !$("check")) location.assign(words.handAt);
      }, () => 0)
      .finally(() => { clearTimeout(end); asked = 0; });
  }, 3000);

  /* The class goes on together. A page asks for ten minutes whether it has, so that one that is left
     ends as any other. */
  const poll = $("poll");
  if (poll) {
    const { from, to } = poll.dataset, riddle = $("when-made");
    let left = 150, asks;
    const timer = setInterval(() => {
      if (!left--) clearInterval(timer);
      if (asks || document.hidden) return;
      asks = fetch(from, { redirect: "manual" })
        .then(async (answer) => {
          if (answer.type === "opaqueredirect" || await answer.text() === "go on") riddle ? riddle.submit() : location.assign(to);
        })
        .catch(() => 0)
        .finally(() => { asks = 0; });
    }, 4000);
  }

  /* Keys: arrows go from card to card, ? opens the help. */
  const help = $("help");
  const parts = (box) => [...box.querySelectorAll("a, button, input")];
  on("keydown", (event) => {
    const { target, key } = event;
    // Tab stops once in each group: where the child was, or at the first that fits.
    if (key === "Tab") for (const box of all("[data-arrows]")) {
      const items = parts(box).filter((item) => item.type !== "radio"), fits = box.querySelector(".fits-here input");
      const stop = items.includes(target) ? target : fits || box.querySelector("[tabindex='0']") || items[0];
      for (const item of items) item.tabIndex = item === stop ? 0 : -1;
    }
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
    const box = step && target.closest("[data-arrows]");
    if (box && box !== target) {
      const items = parts(box);
      items[items.indexOf(target) + step]?.focus();
      event.preventDefault();
    }
    if (help && ((key === "?" && !target.matches(":read-write")) || (key === "Escape" && help.open))) {
      help.open = !help.open;
      help.firstElementChild.focus();
    }
  });

  on("click", ({ target }) => { if (help?.open && !help.contains(target)) help.open = false; });

  /* A voice of this device in the page's language; without one there is no button. */
  const speech = window.speechSynthesis;
  const SILENT = "[hidden], [aria-hidden=true], [data-read], svg:not([role]), dialog";
  let voice, reading;

  function heard(node) {
    if (node.nodeType === 3) return node.data.replace(/\s+/g, " ");
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
    voice = speech.getVoices()?.find((one) => one.localService && one.lang.startsWith(document.documentElement.lang));
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
  speech.addEventListener?.("voiceschanged", show); // Safari of iPadOS 15 has its voices at once
  show();
})();
