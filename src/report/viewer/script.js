"use strict";
// Shows one phase at a time. Boards are lists of lines that they share: "0-12,40" are the lines 0 to 12 and 40.
(() => {
  const byId = id => document.getElementById(id);
  const all = selector => [...document.querySelectorAll(selector)];
  const { lines, frames } = JSON.parse(byId("boards").textContent);
  const sections = all("section.phase");
  const names = sections.map(section => section.id);
  const [board, told, slider, phase, speed, power] = ["board", "told", "slider", "phase", "speed", "power"].map(byId);
  const chart = document.querySelector("#centres svg");
  const moments = [...phase.options].map(option => Number(option.dataset.moment));
  const playButton = document.querySelector("[data-step=play]");
  const largest = 8;
  const full = document.querySelector("main");
  const last = sections.length - 1;
  let now = 0, timer = null, zoom = 1;

  const svgOf = frame => frames[frame].split(",").map(run => {
    const [from, to = from] = run.split("-").map(Number);
    return lines.slice(from, to + 1).join("\n");
  }).join("\n");

  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const heights = [...chart.querySelectorAll(".grid, .axis")].map(line => Number(line.getAttribute("y1")));
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", Math.min(...heights));
  cursor.setAttribute("y2", Math.max(...heights));
  chart.append(cursor);

  function draw(frame) {
    now = Math.max(0, Math.min(last, frame));
    board.innerHTML = svgOf(now);
    sections.forEach((section, i) => { section.hidden = i !== now; });
    slider.value = now;
    phase.selectedIndex = now;
    filter();
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, moments[now]);
    const heading = sections[now].querySelector("h2").textContent;
    slider.setAttribute("aria-valuetext", heading);
    // Screen readers are silent while the game plays.
    told.setAttribute("aria-live", timer === null ? "polite" : "off");
    told.textContent = `${heading}. ${sections[now].querySelector(".said").textContent}`;
  }

  // The game is paused: the address shows the current phase.
  function rest() {
    clearTimeout(timer);
    timer = null;
    playButton.textContent = "Play";
    draw(now);
    history.replaceState(null, "", "#" + names[now]);
  }

  function show(frame) {
    draw(frame);
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

  // The first phase of the year before or after this one.
  function year(way) {
    const wanted = String(Number(sections[now].dataset.year) + way);
    const other = sections.findIndex(section => section.dataset.year === wanted);
    if (other >= 0) return other;
    return way < 0 ? 0 : last;
  }

  const steps = {
    first: () => show(0),
    back: () => show(now - 1),
    next: () => show(now + 1),
    last: () => show(last),
    play: () => timer === null ? play() : rest(),
    full: () => document.fullscreenElement ? document.exitFullscreen() : full.requestFullscreen(),
  };

  // Shows the orders and units of the selected power, or of all powers.
  function filter() {
    const parts = [...board.querySelectorAll(".order, .reach, .unit"), ...sections[now].querySelectorAll("tr[data-power]")];
    parts.forEach(part => part.classList.toggle("aside", power.value !== "" && part.dataset.power !== power.value));
  }

  // Sets the zoom of the board; the point at a position of its frame, in pixels, stays there.
  function size(wanted, x = board.clientWidth / 2, y = board.clientHeight / 2) {
    const larger = Math.max(1, Math.min(largest, wanted)) / zoom;
    const [left, top] = [(board.scrollLeft + x) * larger - x, (board.scrollTop + y) * larger - y];
    zoom *= larger;
    if (Math.abs(zoom - 1) < 0.01) zoom = 1;
    board.style.setProperty("--zoom", zoom);
    board.classList.toggle("large", zoom > 1);
    board.scrollTo(left, top);
  }
  const place = ({ clientX, clientY }) => {
    const box = board.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  };

  // The wheel zooms the board; so does a pinch, which a touchpad reports as a wheel.
  board.addEventListener("wheel", event => {
    event.preventDefault();
    const lines = event.deltaMode === 0 ? 1 : 20;
    size(zoom * Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)), ...place(event));
  }, { passive: false });

  // Two fingers on a screen zoom it, and one pointer moves it.
  const fingers = new Map();
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
  };
  const middle = () => [0, 1].map(i => [...fingers.values()].reduce((sum, at) => sum + at[i], 0) / fingers.size);
  board.addEventListener("pointerdown", event => fingers.set(event.pointerId, place(event)));
  board.addEventListener("pointermove", event => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const at = place(event);
    if (fingers.size === 2) {
      const far = spread();
      fingers.set(event.pointerId, at);
      size(zoom * spread() / far, ...middle());
    } else {
      fingers.set(event.pointerId, at);
      if (event.pointerType === "mouse") board.scrollBy(before[0] - at[0], before[1] - at[1]);
    }
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    board.addEventListener(end, event => fingers.delete(event.pointerId));
  }

  // Marks an order on the board and in the table.
  function point(number) {
    const orders = [...board.querySelectorAll("[data-order]"), ...sections[now].querySelectorAll("[data-order]")];
    orders.forEach(order => order.classList.toggle("pointed", order.dataset.order === number));
  }
  const orderAt = event => event.target.closest("[data-order]")?.dataset.order;
  for (const area of [board, ...sections]) {
    area.addEventListener("mouseover", event => point(orderAt(event)));
    area.addEventListener("mouseleave", () => point(undefined));
  }
  // A touch shows the same text as pointing.
  board.addEventListener("click", event => {
    for (let at = event.target; at !== board && at.localName !== "svg"; at = at.parentNode) {
      const title = [...at.children].find(child => child.localName === "title");
      if (title) {
        point(orderAt(event));
        told.textContent = title.textContent;
        return;
      }
    }
  });

  all("[data-step]").forEach(button => button.addEventListener("click", () => steps[button.dataset.step]()));
  all("[data-zoom]").forEach(button => button.addEventListener("click", () => size(zoom * 1.5 ** button.dataset.zoom)));
  power.addEventListener("change", filter);
  slider.addEventListener("input", () => { clearTimeout(timer); draw(Number(slider.value)); });
  slider.addEventListener("change", rest);
  phase.addEventListener("change", () => show(phase.selectedIndex));
  chart.addEventListener("click", event => {
    const box = chart.getBoundingClientRect();
    const at = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
    const away = moments.map(moment => Math.abs(moment - at));
    show(away.indexOf(Math.min(...away)));
  });

  const keys = {
    ArrowLeft: steps.back, ArrowRight: steps.next, Home: steps.first, End: steps.last, " ": steps.play,
    PageUp: () => show(year(-1)), PageDown: () => show(year(1)),
    "+": () => size(zoom * 1.5), "=": () => size(zoom * 1.5), "-": () => size(zoom / 1.5), f: steps.full,
  };
  // Some elements use keys themselves: fields and links use all, a button the space bar, a scrolling element the
  // arrows.
  function isTaken(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input, summary, a")) return true;
    const scrolls = event.target.closest("[tabindex]");
    return event.key === " " && event.target.closest("button") !== null
      || event.key.startsWith("Arrow") && scrolls !== null && scrolls.scrollWidth > scrolls.clientWidth;
  }
  document.addEventListener("keydown", event => {
    if (!Object.hasOwn(keys, event.key) || isTaken(event)) return;
    event.preventDefault();
    keys[event.key]();
  });

  function follow() {
    const name = location.hash.slice(1), found = names.indexOf(name);
    show(Math.max(0, found));
    if (name && found < 0) told.textContent = `There is no phase ${name} in this game. ${told.textContent}`;
  }
  // A link to a phase is not a link to its tables: the page does not scroll.
  sections.forEach(section => section.removeAttribute("id"));
  addEventListener("hashchange", follow);
  document.body.classList.add("stepping");
  all(".scripted").forEach(element => { element.hidden = false; });
  document.querySelector("[data-step=full]").hidden = !document.fullscreenEnabled;
  follow();
})();
