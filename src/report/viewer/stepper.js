"use strict";
// Steps through the phases of a page by buttons, slider, list, keys and the address. The page itself draws each phase.
const byId = id => document.getElementById(id);
const all = selector => [...document.querySelectorAll(selector)];

// The picture of a board. Boards are lists of lines that they share: "0-12,40" are the lines 0 to 12 and 40.
const svgOf = (lines, board) => board.split(",").map(run => {
  const [from, to = from] = run.split("-").map(Number);
  return lines.slice(from, to + 1).join("\n");
}).join("\n");

// The text that pointing at a place of a board shows.
function titleAt(board, event) {
  for (let at = event.target; at !== board && at.localName !== "svg"; at = at.parentNode) {
    const title = [...at.children].find(child => child.localName === "title");
    if (title) return title.textContent;
  }
  return undefined;
}

// `draw(step, section, isPlaying)` draws a phase.
function stepper(draw) {
  const sections = all("section.phase");
  const names = sections.map(section => section.id);
  const [slider, phase, speed] = ["slider", "phase", "speed"].map(byId);
  const playButton = document.querySelector("[data-step=play]");
  const full = document.querySelector("main");
  const last = sections.length - 1;
  let now = 0, timer = null;

  function go(step) {
    now = Math.max(0, Math.min(last, step));
    sections.forEach((section, i) => { section.hidden = i !== now; });
    slider.value = now;
    phase.selectedIndex = now;
    slider.setAttribute("aria-valuetext", sections[now].querySelector("h2").textContent);
    draw(now, sections[now], timer !== null);
  }

  // The page is paused: the address shows the current phase.
  function rest() {
    clearTimeout(timer);
    timer = null;
    playButton.textContent = "Play";
    go(now);
    history.replaceState(null, "", "#" + names[now]);
  }

  function show(step) {
    go(step);
    rest();
  }

  function play() {
    playButton.textContent = "Pause";
    const wait = () => { timer = setTimeout(step, speed.value * 1000); };
    const step = () => {
      go(now + 1);
      if (now === last) rest(); else wait();
    };
    wait();
    if (now === last) go(0);
  }

  const moves = {
    first: () => show(0),
    back: () => show(now - 1),
    next: () => show(now + 1),
    last: () => show(last),
    play: () => timer === null ? play() : rest(),
    full: () => document.fullscreenElement ? document.exitFullscreen() : full.requestFullscreen(),
  };

  // Listens, and shows the phase of the address. `more` has further keys, `isTaken` says which keys an element uses
  // itself, and `missing` receives the name of a phase that does not exist.
  function start({ more = {}, isTaken = () => false, missing = () => {} }) {
    all("[data-step]").forEach(button => button.addEventListener("click", () => moves[button.dataset.step]()));
    slider.addEventListener("input", () => { clearTimeout(timer); go(Number(slider.value)); });
    slider.addEventListener("change", rest);
    phase.addEventListener("change", () => show(phase.selectedIndex));

    const keys = {
      ArrowLeft: moves.back, ArrowRight: moves.next, Home: moves.first, End: moves.last, " ": moves.play, f: moves.full,
      ...more,
    };
    // Fields and links use all keys themselves, a button the space bar.
    const isUsed = event => event.ctrlKey || event.altKey || event.metaKey
      || event.target.closest("select, input, summary, a")
      || event.key === " " && event.target.closest("button") !== null
      || isTaken(event);
    document.addEventListener("keydown", event => {
      if (!Object.hasOwn(keys, event.key) || isUsed(event)) return;
      event.preventDefault();
      keys[event.key]();
    });

    function follow() {
      const name = location.hash.slice(1), found = names.indexOf(name);
      show(Math.max(0, found));
      if (name && found < 0) missing(name);
    }
    // A link to a phase is not a link to its tables: the page does not scroll.
    sections.forEach(section => section.removeAttribute("id"));
    addEventListener("hashchange", follow);
    document.body.classList.add("stepping");
    all(".scripted").forEach(element => { element.hidden = false; });
    document.querySelector("[data-step=full]").hidden = !document.fullscreenEnabled;
    follow();
  }

  return { sections, last, show, start, section: () => sections[now] };
}
