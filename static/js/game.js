/* What the page itself does. The server judges; every form also works without this file. */
(() => {
  "use strict";
  const board = document.getElementById("board");
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  let byTable = Boolean(history.state?.byTable); // nothing else of a shared computer may keep it
  let changed = false; // since the server's answer, whose refusal is to be read first

  const all = (selector) => [...board.querySelectorAll(selector)];
  const make = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  /* As games/screen/pictures/number_line.py draws it, with its measures. */
  const line = JSON.parse(board.dataset.line);
  function numberLine(numbers, jokers) {
    const low = numbers[0], span = numbers.at(-1) - low;
    const at = numbers.map((number) => Math.round(line.left + ((number - low) * line.room) / span));
    const close = +at.some((x, i) => x - at[i - 1] < line.apart);
    const svg = make("svg", { class: "number-line", viewBox: line.box[close], "aria-hidden": "true" });
    svg.append(make("path", { class: "axis", d: line.axis }));
    numbers.forEach((number, i) => {
      const x = at[i], before = at[i - 1], middle = (before + x) >> 1, aside = i % 2 * close * line.aside;
      if (i) {
        svg.append(make("path", { class: "jump", d: `M${before} ${line.y}Q${middle} ${line.top} ${x} ${line.y}` }));
        if (x - before > line.narrow) svg.append(make("text", { class: "jump-label", x: middle, y: line.jump - aside }, `+${number - numbers[i - 1]}`));
      }
      svg.append(make("circle", { cx: x, cy: line.y, r: line.radius[close] }));
      svg.append(make("text", { x, y: line.number + aside }, jokers.has(number) ? `${number}★` : number));
    });
    return svg;
  }

  function say(now) {
    const { numbers, jokers, swaps } = now;
    const box = $("chosen");
    if (!box) return;
    const refused = !changed && board.querySelector(".told-refusal");
    box.hidden = refused || numbers.length + jokers + swaps < 2;
    if (box.hidden) return;
    const row = jokers ? atOnce.rowOf(now) : numbers.map((number) => [number, false]);
    const shown = (row ?? []).map(([number]) => number), jumps = shown.slice(1).map((number, i) => number - shown[i]);
    const named = ([number, joker]) => (joker ? `${number} (${box.dataset.joker})` : number);
    let words = (row ? row.map(named) : [...numbers, ...Array(jokers).fill(box.dataset.joker)]).join(", ");
    if (jumps.length) {
      const even = new Set(jumps).size === 1;
      const last = jumps.length > 1 ? `${jumps.slice(0, -1).join(", ")} ${box.dataset.and} ${jumps.at(-1)}` : jumps[0];
      words = (even ? box.dataset.even : box.dataset.uneven)
        .replace("{numbers}", words).replace("{jump}", jumps[0]).replace("{jumps}", last);
    }
    const text = document.createElement("p");
    text.className = "chosen-text";
    text.textContent = words;
    const made = document.createElement("p");
    made.className = "chosen-row";
    made.textContent = [atOnce.verdict(now, box.dataset), $("do-draw-closed") && box.dataset.first].filter(Boolean).join(" ");
    box.replaceChildren(text, made, ...(jumps.length ? [numberLine(shown, new Set(shown.filter((_, i) => row[i][1])))] : []));
  }

  /* What laying would do with the choice: the name of the words on the button. */
  function laying({ hand, places, rows, swaps }) {
    if (!places || !hand.length) return "plain";
    if (rows) return rows > 1 ? "join" : "add";
    if (swaps === places) return "swap";
    const longer = all(".table-card :checked").flatMap((box) => atOnce.linesAt(box.parentElement))
      .some((row) => atOnce.fits([...hand, row.querySelector(".row-tag input")]));
    if (!longer) return "across";
    return atOnce.fits() ? "plain" : "add"; // the server asks which is meant
  }

  /* The buttons name what they would do with the choice; what each does never changes. */
  function name(now) {
    const { hand, places } = now;
    const lay = $("do-lay"), discard = $("do-discard");
    if (!lay || !discard) return;
    const one = hand.length === 1 && !places;
    lay.dataset.plain ??= lay.textContent;
    discard.dataset.plain ??= discard.textContent;
    lay.textContent = lay.dataset[laying(now)];
    const down = one && (hand[0].dataset.number ? discard.dataset.one : discard.dataset.joker);
    discard.textContent = one ? down.replace("{card}", hand[0].dataset.number) : discard.dataset.plain;
  }

  /* Facts are shown where they are not cut off, cover no tag, and cover as little else as possible. */
  const CLEAR = 4;
  function show(shown) {
    for (const facts of shown) facts.style.translate = "";
    const boxes = (selector) => all(selector).map((each) => each.getBoundingClientRect());
    const table = $("table").getBoundingClientRect(), names = boxes(".row-name"), cards = boxes(".table-card");
    const taken = [];
    for (const facts of shown) {
      const own = facts.closest(".table-row"), bar = own.querySelector(".bar").getBoundingClientRect();
      const at = facts.getBoundingClientRect(), tag = own.querySelector(".row-name").getBoundingClientRect();
      const { width, height } = at, above = height + CLEAR;
      const over = (left, top, box) => Math.max(0, Math.min(left + width, box.right) - Math.max(left, box.left))
        * Math.max(0, Math.min(top + height, box.bottom) - Math.max(top, box.top));
      const tried = [
        [at.left, at.top], [tag.left, tag.top - above], [tag.left, tag.bottom + CLEAR], [bar.left, bar.top - above], [bar.left, bar.bottom + CLEAR],
        [table.left, table.top], [table.left, table.bottom],
      ].map(([x, y]) => {
        const left = Math.max(table.left, Math.min(x, table.right - width)), top = Math.max(table.top, Math.min(y, table.bottom - height));
        const cover = (all) => all.reduce((sum, box) => sum + over(left, top, box), 0);
        return [9 * cover([...names, ...taken]) + cover(cards) + cover([bar]), left, top];
      });
      const [, left, top] = tried.reduce((best, one) => (one[0] < best[0] ? one : best));
      facts.style.translate = `${left - at.left}px ${top - at.top}px`;
      taken.push(facts.getBoundingClientRect());
    }
  }

  /* A tapped row shows its facts, and so do the rows of a tapped card. */
  function touch() {
    const cards = all(".table-card :checked").flatMap((box) => atOnce.linesAt(box.parentElement));
    const rows = new Set([...cards, ...all(".row-tag :checked").map((box) => box.closest(".table-row"))]);
    for (const row of all(".table-row")) row.classList.toggle("touched", rows.has(row));
    show(all(".row-facts").filter((facts) => facts.offsetWidth));
  }

  /* Open places are shown where the chosen cards continue a row. */
  function fit({ hand }) {
    const own = hand.filter((box) => box.dataset.number).map((box) => +box.dataset.number);
    for (const end of all(".end")) {
      const row = end.closest(".table-row").dataset.numbers.split(" ").map(Number);
      const fits = end.dataset.numbers.split(" ").some((next) => {
        const edge = next > row[0] ? row.at(-1) : row[0];
        const jumps = own.map((number) => (number - edge) / (next - edge));
        return jumps.every((jump) => jump > 0 && jump <= hand.length && jump % 1 === 0);
      });
      end.classList.toggle("no-fit", !fits);
    }
    for (const row of all(".table-row")) row.classList.toggle("fits-here", own.length && row.querySelector(".end:not(.no-fit)"));
    const places = all(".end:not(.no-fit)");
    if (chose && own.length) (places.find(inSight) ?? places[0])?.scrollIntoView({ block: "nearest", inline: "nearest" });
    chose = false;
  }

  /* For the styles, which would take long to look for it themselves at every tap (`:has`). */
  board.classList.add("scripted");
  const mark = (name, is) => board.classList.toggle(name, Boolean(is));
  function look() {
    for (const id of ["whole", "closer"]) mark(`looks-${id}`, $(id)?.checked);
  }
  function marks({ hand }) {
    mark("fits", $("do-lay") && atOnce.fits());
    mark("chooses", hand.length);
    mark("says-chosen", $("chosen")?.hidden === false);
    mark("lit-left", board.querySelector(".lit > input:not(:checked)"));
  }

  /* First the tapped card is painted, then what it makes. */
  let telling = false, chose = false; // a card of the hand: places where it fits come into sight
  function tell(event) {
    chose ||= Boolean(event?.target.closest("#hand")) && !board.matches(".dragging");
    changed = true;
    look();
    if (telling) return;
    telling = true;
    requestAnimationFrame(() => setTimeout(update));
  }
  function update() {
    telling = false;
    const now = atOnce.chosen();
    say(now);
    fit(now);
    name(now);
    marks(now);
    touch();
  }

  function sort() {
    const button = $("sort"), hand = $("hand");
    if (!button || !hand) return;
    button.hidden = false;
    button.textContent = byTable ? button.dataset.number : button.dataset.table;
    const value = (item) => +item.querySelector("input").dataset.number || 999;
    const cards = [...hand.children], groups = [];
    /* The table with the most cards comes first, with its cards; then the same for the remaining cards. */
    let rest = byTable ? cards.filter((card) => value(card) < 999) : [];
    for (;;) {
      const [own, table] = button.dataset.tables.split(" ").map((table) => [rest.filter((card) => value(card) % table === 0), table])
        .reduce((most, one) => (one[0].length > most[0].length ? one : most), [[]]);
      if (own.length < 2) break;
      groups.push([own, table]);
      rest = rest.filter((card) => !own.includes(card));
    }
    const last = cards.filter((card) => !groups.some(([own]) => own.includes(card)));
    const sorted = [...groups.map(([own]) => own), last].flatMap((some) => some.sort((a, b) => value(a) - value(b)));
    for (const card of cards) delete card.dataset.group;
    for (const [own, table] of groups) own[0].dataset.group = table;
    if (sorted.some((card, i) => card !== cards[i])) hand.append(...sorted);
  }

  /* A hint should be read before the next one is asked for; the server waits as long. */
  function wait() {
    const button = board.querySelector("[data-wait]");
    if (!button) return;
    button.setAttribute("aria-disabled", "true");
    setTimeout(() => button.removeAttribute("aria-disabled"), +button.dataset.wait);
  }

  /* Putting down ends the turn: for a moment it can be undone, then the page sends it. */
  const form = $("play"), HOLD = +board.dataset.hold, SECOND = +board.dataset.tap;
  let held, pressed = -SECOND;
  const pace = () => parseFloat(getComputedStyle(board).getPropertyValue("--pace")) * 1000;
  function shut(closed) {
    $("held").hidden = !closed;
    board.classList.toggle("holding", closed);
    const rest = () => {
      for (const part of all(".felt, .hand-side, .actions")) part.inert = held;
      if (held) $("undo-discard").focus({ preventScroll: true });
    };
    if (closed) requestAnimationFrame(() => setTimeout(rest)); // first the answer to the tap is painted
    else rest();
  }
  /* The card lies on the pile at once, with the button that takes it back on it. */
  function putDown(card) {
    const dragged = board.querySelector(".dragged"), from = (dragged ?? card).getBoundingClientRect();
    const ghost = dragged ?? card.cloneNode(true);
    if (!dragged) ghost.querySelector("input").remove();
    ghost.classList.add("ghost", "down");
    ghost.style.transform = "";
    const to = place(ghost);
    board.append(ghost);
    card.classList.add("gone");
    const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
    const path = [{ transformOrigin: "0 0", transform: start }, { transformOrigin: "0 0" }];
    if (!atOnce.still()) ghost.animate(path, { duration: 70, easing: "ease-out" });
  }
  function place(ghost) {
    const piles = all(".piles > .pile .card"), to = (piles[1] ?? piles[0]).getBoundingClientRect();
    const box = $("held"), half = box.offsetWidth / 2 + 4;
    Object.assign(ghost.style, { left: `${to.x}px`, top: `${to.y}px`, width: `${to.width}px` });
    box.style.left = `${Math.max(half, Math.min(to.x + to.width / 2, innerWidth - half))}px`;
    box.style.top = `${to.y + to.height / 2}px`;
    return to;
  }
  addEventListener("resize", () => all(".down").forEach(place));
  const showTurn = (seat) => all(".player").forEach((player, i) => player.classList.toggle("player-turn", i === seat));
  const answered = () => board.classList.remove("holding");
  function hold(button, { parentElement: card, dataset: { number } }) {
    const text = $("held").firstElementChild, words = button.dataset;
    text.textContent = number ? words.held.replace("{card}", number) : words.jokerHeld;
    shut(true);
    showTurn(1);
    putDown(card.closest(".card"));
    $("live").textContent = text.textContent;
    held = setTimeout(() => {
      held = 0;
      shut(false);
      board.classList.add("holding"); // until the answer
      form.requestSubmit(button);
    }, number ? (pace() ? HOLD : HOLD / 2) : 4000); // a joker is worth time to think again
  }
  function undo() {
    clearTimeout(held);
    held = 0;
    shut(false);
    showTurn(0);
    for (const ghost of all(".down")) ghost.remove();
    for (const card of all(".gone")) card.classList.remove("gone");
    $("do-discard").focus({ preventScroll: true });
  }
  addEventListener("pagehide", () => {
    if (held) navigator.sendBeacon(form.action, new FormData(form, $("do-discard")));
  });

  /* The figures, the pile and whose turn it is change step by step, while the other players say what
     they did. The last values are those that the server drew. */
  function steps() {
    const { figures, pile } = board.querySelector("[data-figures]")?.dataset ?? {};
    const time = pace(), [bridge] = all("progress");
    if (!figures || !time || atOnce.still()) return;
    const players = all(".player"), [label] = all(".piles > div.pile:first-child .pile-name"), [now] = all(".strip-now");
    const shown = label?.textContent, turn = players.findIndex((player) => player.matches(".player-turn"));
    now?.classList.remove("strip-now");
    const shows = figures.split(";").map((step) => () => {
      const parts = step.split(" "), who = +parts.pop(), closed = parts.pop();
      showTurn(who);
      if (label) label.textContent = pile.replace("{n}", closed); // a pile to take from keeps its word
      if (bridge) bridge.nextElementSibling.textContent = bridge.value = parseInt(parts[0]);
      parts.forEach((both, i) => {
        const [score, count] = both.split(","), backs = players[i].querySelector(".backs");
        const marks = Array.from({ length: count }, () => document.createElement("i"));
        players[i].querySelector(".score").firstChild.data = score;
        backs.firstElementChild.textContent = count;
        backs.replaceChildren(backs.firstElementChild, ...marks);
      });
    });
    shows.push(() => {
      showTurn(turn);
      if (label) label.textContent = shown;
      now?.classList.add("strip-now");
    });
    shows.shift()();
    shows.forEach((show, at) => setTimeout(show, (at + .5) * time));
  }

  /* Show once more what the others did, and slower. */
  function again() {
    for (const step of board.getAnimations({ subtree: true }))
      if (["say", "land", "light", "taken"].includes(step.animationName) && !step.effect.target.closest(".over")) {
        step.updatePlaybackRate(.5);
        step.currentTime = 0;
        step.play();
      }
  }

  function fresh() {
    changed = false;
    sort();
    update();
    wait();
  }

  /* The table stays scrolled as it was, unless a lit or new card, or everything, is out of sight. */
  const SMALL = 36;
  let scrolled = [0, 0], zoomed = [];
  function inSight(card) {
    const box = $("table").getBoundingClientRect(), own = card.getBoundingClientRect();
    return own.right > box.left && own.left < box.right && own.bottom > box.top && own.top < box.bottom;
  }
  function scroll() {
    const table = $("table");
    if (!table) return;
    const over = board.querySelector(".over");
    for (const zoom of all(".zoom input")) zoom.checked = !over && zoomed.includes(zoom.id);
    look();
    [table.scrollLeft, table.scrollTop] = scrolled;
    const cards = all(".table-card");
    const { laid } = table.dataset, own = laid && board.querySelector(`.table-row[data-numbers="${laid}"] .bar`);
    const news = board.querySelector(".table-card.lit") || board.querySelector(".new") || own || (cards.some(inSight) ? null : cards[0]);
    news?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /* Cards glide to where they land. What another player laid comes from their face, in its step. */
  let was = new Map(), pressedLast = "";
  const home = (card) => card.closest("#table, #hand, #board").id;
  function remember() {
    was = new Map(all("[data-card]").map((card) => [card.dataset.card, [card.getBoundingClientRect(), home(card)]]));
  }
  function moved(card) {
    const { by } = card.dataset, to = card.getBoundingClientRect(), at = home(card);
    const [from, before] = was.get(card.dataset.card) || was.get(by ? `seat-${by}` : at === "hand" ? "pile" : "") || [];
    if (!from || Math.abs(from.x - to.x) + Math.abs(from.y - to.y) < 2) return [];
    const delay = by ? parseFloat(getComputedStyle(card).animationDelay) * 1000 : 0;
    return [{ card, by, from, to, delay, stays: before === at }];
  }
  function glide(cards) {
    for (const card of all(".taken")) {
      const from = card.getBoundingClientRect(), to = board.querySelector(`[data-card="${card.dataset.to}"]`).getBoundingClientRect();
      if (!to.width) continue; // the face is not drawn where there is no room
      card.style.setProperty("--x", `${to.x - from.x}px`);
      card.style.setProperty("--y", `${to.y - from.y}px`);
    }
    for (const { card, by, from, to, delay, stays } of cards) {
      const time = { duration: 220, delay, easing: "ease-out", fill: "backwards" };
      const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
      const path = [{ opacity: +!by, transformOrigin: "0 0", transform: start }, { transformOrigin: "0 0" }];
      if (stays) { card.animate(path, time); continue; }
      const ghost = card.cloneNode(true);
      ghost.className = "card ghost";
      ghost.querySelector("input").remove();
      Object.assign(ghost.style, { left: `${to.x}px`, top: `${to.y}px`, width: `${to.width}px` });
      board.append(ghost);
      ghost.animate(path, time).onfinish = () => ghost.remove();
      card.animate([{ opacity: 0 }, { opacity: 0 }], time);
    }
  }

  /* If the pressed control is gone, the keyboard continues at the next thing to do. */
  function settled() {
    form.elements.at?.remove();
    fresh();
    scroll();
    // All is measured before anything moves.
    const cards = atOnce.still() ? [] : all("label.card").flatMap(moved);
    steps();
    glide(cards);
    // A question is asked first, also of whoever pressed Enter on a card.
    (board.querySelector("button[name=play]") ?? $(pressedLast))?.focus({ preventScroll: true });
    if (document.activeElement !== document.body) return;
    const next = [".finished summary", "#over .action", "#do-pass", "#do-draw-closed", "#hand input"];
    const control = next.map((selector) => board.querySelector(selector)).find(Boolean);
    control?.focus({ preventScroll: true });
  }

  board.addEventListener("change", tell);
  board.addEventListener("click", ({ target }) => {
    if (!target.closest("#clear")) return;
    for (const box of all("#hand :checked, #table :checked")) box.checked = false;
    $("hand").dispatchEvent(new Event("change", { bubbles: true }));
    board.querySelector("#hand input")?.focus({ preventScroll: true });
  });
  /* A second tap right away was meant for what was there before. */
  board.addEventListener("click", (event) => {
    if (!event.target.closest("[type=submit], .actions a, #undo-discard")) return;
    if (event.timeStamp - pressed < SECOND) {
      event.preventDefault();
      event.stopPropagation();
    } else pressed = event.timeStamp;
  }, true);
  /* On the whole table, and where cards are too small for a finger, a tap zooms in on its place. */
  board.addEventListener("click", (event) => {
    const place = event.detail && event.target.closest("#table :is(.table-card, .row-tag, .end:not(.edge))");
    const near = place && place.closest(".island").querySelector(".table-card");
    if (!near || !$("whole").checked && (near.offsetWidth >= SMALL || event.pointerType === "mouse")) return;
    event.preventDefault();
    event.stopPropagation();
    $("whole").checked = false;
    look();
    if (near.offsetWidth < SMALL) $("closer").checked = true;
    look();
    place.scrollIntoView({ block: "center", inline: "center" });
  }, true);
  let offered = "";
  /* Lay the chosen cards at the open place of this number. */
  function layAt(number) {
    const at = Object.assign(document.createElement("input"), { type: "hidden", name: "at", value: number.split(" ")[0] });
    form.append(at); // until the answer or another tap: a lost request is sent again with it
    $("do-lay").click();
  }
  board.addEventListener("click", (event) => event.isTrusted && form.elements.at?.remove(), true);
  /* Enter on a row where the chosen cards fit lays them there. */
  board.addEventListener("keydown", (event) => {
    const row = event.key === "Enter" && event.target.closest(".row-tag input") && event.target.closest(".fits-here");
    if (!row || !$("do-lay")) return;
    event.preventDefault();
    event.target.checked = true;
    tell();
    layAt(row.querySelector(".end:not(.no-fit)").dataset.numbers);
  });
  board.addEventListener("click", (event) => {
    const press = event.target.closest("button");
    /* A row that is picked is laid before the turn ends; once, as the server may refuse it. */
    const picked = String(atOnce.chosen().numbers);
    if (press?.id === "do-end" && $("do-lay") && atOnce.fits() && picked !== offered) {
      offered = picked;
      event.preventDefault();
      $("do-lay").click();
      return;
    }
    if (press && press.getAttribute("aria-disabled") === "true") event.preventDefault();
    if (press && press.id === "undo-discard") undo();
    if (press && press.id === "do-discard" && HOLD) {
      const { hand } = atOnce.chosen();
      if (hand.length === 1 && $("hand").children.length > 1) { // the last card ends the round
        event.preventDefault();
        hold(press, hand[0]);
      }
    }
    if (press && press.matches(".again")) again();
    if (press && press.id === "sort") { byTable = !byTable; history.replaceState({ byTable }, ""); sort(); }
    /* A tap on an open place of a row lays the chosen cards there. */
    const end = event.target.closest(".end");
    if (end && $("do-lay") && board.querySelector("#hand :checked")) {
      event.preventDefault();
      $(end.htmlFor).checked = true;
      tell();
      layAt(end.dataset.numbers);
    }
  });

  document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
    const table = $("table");
    if (table) scrolled = [table.scrollLeft, table.scrollTop];
    zoomed = all(".zoom :checked").map(({ id }) => id);
    remember();
    answered();
    /* Nothing is measured between here and `settled`, so the board is laid out only once. */
    const { activeElement } = document, { fragment } = tasks.find(({ type }) => type === "main");
    pressedLast = board.contains(activeElement) ? activeElement.id : "";
    if (pressedLast) activeElement.blur();
    document.documentElement.dataset.now = fragment.querySelector("[data-now]").dataset.now;
  });
  document.addEventListener("htmx:finally:request", answered);
  document.addEventListener("htmx:after:swap", settled);
  /* Each sentence of the others scrolls into sight when it is said. */
  board.addEventListener("animationstart", ({ target }) => {
    if (target.matches(".said-step")) target.scrollIntoView({ block: "nearest" });
  });
  /* The joy of a row: it glows, and its points fly to the score. The words are on the page. */
  const LONGEST = 560;
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  function fly(points, row) {
    const [x, y] = middle(row), [toX, toY] = middle(board.querySelector("progress, .player-you .score"));
    const up = document.createElement("b");
    up.className = "points";
    up.ariaHidden = true;
    up.textContent = `+${points}`;
    Object.assign(up.style, { left: `${x}px`, top: `${y}px` });
    board.append(up);
    up.animate([
      { opacity: 0, transform: "translate(-50%, -50%) scale(.6)" },
      { opacity: 1, transform: "translate(-50%, -90%) scale(1.2)", offset: .3 },
      { opacity: 1, transform: "translate(-50%, -120%) scale(1.2)", offset: .5 },
      { opacity: 0, transform: `translate(calc(${toX - x}px - 50%), calc(${toY - y}px - 50%)) scale(.8)` },
    ], { duration: LONGEST, easing: "ease-in-out" }).onfinish = () => up.remove();
  }

  document.addEventListener("htmx:after:swap", () => {
    const { earned, laid } = $("table")?.dataset ?? {};
    const row = laid && board.querySelector(`.table-row[data-numbers="${laid}"]`);
    if (!row || atOnce.still()) return;
    row.classList.add("glows");
    if (+earned) fly(earned, row.querySelector(".ring"));
  });
  board.addEventListener("animationend", ({ animationName, target }) => {
    if (animationName === "glow") target.closest(".glows").classList.remove("glows");
    /* Otherwise sorting the hand would deal it once more. */
    if (animationName === "deal" && target.matches(":last-child")) target.parentElement.classList.remove("dealt");
  });

  board.addEventListener("toggle", ({ target }) => {
    if (target.matches(".finished") && !target.open) board.querySelector("#over .action")?.focus();
  }, true);
  addEventListener("resize", touch);
  fresh();
  scroll();
})();
