"use strict";
// Shows one phase of two games at a time. Boards are lists of lines that they share: "0-12,40" are the lines 0 to 12
// and 40.
(() => {
  const byId = id => document.getElementById(id);
  const all = selector => [...document.querySelectorAll(selector)];
  const { lines, frames, steps } = JSON.parse(byId("boards").textContent);
  const sections = all("section.phase");
  const names = sections.map(section => section.id);
  const sides = ["left", "right"];
  const boards = sides.map(side => byId(`${side}-board`)), told = sides.map(side => byId(`${side}-told`));
  const [counts, slider, phase, speed] = ["counts", "slider", "phase", "speed"].map(byId);
  const playButton = document.querySelector("[data-step=play]");
  const full = document.querySelector("main");
  const last = sections.length - 1;
  let now = 0, timer = null;

  const svgOf = board => board.split(",").map(run => {
    const [from, to = from] = run.split("-").map(Number);
    return lines.slice(from, to + 1).join("\n");
  }).join("\n");

  // Marks the centres whose owners differ: a centre that only one board has does not differ in its owner.
  function mark() {
    const owners = boards.map(board =>
      new Map([...board.querySelectorAll(".centre")].map(centre => [centre.dataset.province, centre])));
    for (const [province, left] of owners[0]) {
      const right = owners[1].get(province);
      const differs = right !== undefined && left.dataset.power !== right.dataset.power;
      for (const centre of [left, right]) centre?.classList.toggle("differs", differs);
    }
  }

  // The centres of each power on both boards, from the table of the phase.
  function count(section) {
    counts.replaceChildren(...[...section.querySelectorAll(".counts tbody tr")].map(row => {
      const [power, left, right, difference] = [...row.children];
      const entry = document.createElement("span");
      entry.append(...[...power.childNodes].map(node => node.cloneNode(true)), ` ${left.textContent} · ${right.textContent}`);
      if (row.classList.contains("differs")) {
        const more = document.createElement("b");
        more.textContent = ` (${difference.textContent})`;
        entry.className = "differs";
        entry.append(more);
      }
      return entry;
    }));
  }

  function draw(step) {
    now = Math.max(0, Math.min(last, step));
    const section = sections[now];
    sections.forEach((other, i) => { other.hidden = i !== now; });
    const said = [...section.querySelectorAll(".said")];
    sides.forEach((side, i) => {
      boards[i].innerHTML = svgOf(frames[i][steps[now][i]]);
      boards[i].classList.toggle("idle", section.dataset[side] === "idle");
      told[i].textContent = said[i].textContent;
    });
    mark();
    count(section);
    slider.value = now;
    phase.selectedIndex = now;
    slider.setAttribute("aria-valuetext", section.querySelector("h2").textContent);
    // Nothing is read aloud while the games play.
    counts.setAttribute("aria-live", timer === null ? "polite" : "off");
  }

  // The games stand still: the address says where.
  function rest() {
    clearTimeout(timer);
    timer = null;
    playButton.textContent = "Play";
    draw(now);
    history.replaceState(null, "", "#" + names[now]);
  }

  function show(step) {
    draw(step);
    rest();
  }

  function play() {
    playButton.textContent = "Pause";
    const wait = () => { timer = setTimeout(step, speed.value * 1000); };
    const step = () => {
      draw(now + 1);
      if (now === last) rest(); else wait();
    };
    wait();
    if (now === last) draw(0);
  }

  const moves = {
    first: () => show(0),
    back: () => show(now - 1),
    next: () => show(now + 1),
    last: () => show(last),
    play: () => timer === null ? play() : rest(),
    full: () => document.fullscreenElement ? document.exitFullscreen() : full.requestFullscreen(),
  };

  // A touch shows the same text as pointing does, above the board that is touched.
  boards.forEach((board, i) => board.addEventListener("click", event => {
    for (let at = event.target; at !== board && at.localName !== "svg"; at = at.parentNode) {
      const title = [...at.children].find(child => child.localName === "title");
      if (title) {
        told[i].textContent = title.textContent;
        return;
      }
    }
  }));

  all("[data-step]").forEach(button => button.addEventListener("click", () => moves[button.dataset.step]()));
  slider.addEventListener("input", () => { clearTimeout(timer); draw(Number(slider.value)); });
  slider.addEventListener("change", rest);
  phase.addEventListener("change", () => show(phase.selectedIndex));

  const keys = {
    ArrowLeft: moves.back, ArrowRight: moves.next, Home: moves.first, End: moves.last, " ": moves.play, f: moves.full,
  };
  // Some elements use a key themselves: fields and links use all, a button the space bar.
  function isTaken(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input, summary, a")) return true;
    return event.key === " " && event.target.closest("button") !== null;
  }
  document.addEventListener("keydown", event => {
    if (!Object.hasOwn(keys, event.key) || isTaken(event)) return;
    event.preventDefault();
    keys[event.key]();
  });

  const follow = () => show(Math.max(0, names.indexOf(location.hash.slice(1))));
  // A link to a phase does not scroll to its tables: the page stays where it is.
  sections.forEach(section => section.removeAttribute("id"));
  addEventListener("hashchange", follow);
  document.body.classList.add("stepping");
  all(".scripted").forEach(element => { element.hidden = false; });
  document.querySelector("[data-step=full]").hidden = !document.fullscreenEnabled;
  follow();
})();
