"use strict";
// Shows one phase at a time. Boards are lists of lines that they share: "0-12,40" are the lines 0 to 12 and 40.
(() => {
  const byId = id => document.getElementById(id);
  const all = selector => [...document.querySelectorAll(selector)];
  const { lines, frames } = JSON.parse(byId("boards").textContent);
  const sections = all("section.phase");
  const names = sections.map(section => section.id);
  const years = names.map(name => name.slice(1, 5));
  const [board, told, slider, phase, speed] = ["board", "told", "slider", "phase", "speed"].map(byId);
  const chart = document.querySelector("#centres svg");
  const moments = [...phase.options].map(option => Number(option.dataset.moment));
  const last = sections.length - 1;
  let now = 0, timer = null, zoom = 0;

  const svgOf = frame => frames[frame].split(",").map(run => {
    const [from, to = from] = run.split("-").map(Number);
    return lines.slice(from, to + 1).join("\n");
  }).join("\n");

  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", 40);
  cursor.setAttribute("y2", chart.viewBox.baseVal.height - 22);
  chart.append(cursor);

  function show(frame) {
    now = Math.max(0, Math.min(last, frame));
    board.innerHTML = svgOf(now);
    sections.forEach((section, i) => { section.hidden = i !== now; });
    slider.value = now;
    phase.selectedIndex = now;
    const heading = sections[now].querySelector("h2").textContent;
    slider.setAttribute("aria-valuetext", heading);
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, moments[now]);
    // Who listens is not talked to while the game plays.
    told.setAttribute("aria-live", timer === null ? "polite" : "off");
    told.textContent = `${heading}. ${sections[now].querySelector(".said").textContent}`;
    const link = "#" + names[now];
    if (location.hash !== link) history.replaceState(null, "", link);
    if (now === last) stop();
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    document.querySelector("[data-step=play]").textContent = "Play";
  }

  function play() {
    const step = () => {
      timer = setTimeout(step, speed.value * 1000);
      show(now + 1);
    };
    document.querySelector("[data-step=play]").textContent = "Pause";
    timer = 0;
    if (now === last) show(0);
    timer = setTimeout(step, speed.value * 1000);
  }

  // The first phase of the year before or after this one.
  function year(way) {
    const other = years.findIndex(y => y === String(Number(years[now]) + way));
    return other >= 0 ? other : way < 0 ? 0 : last;
  }

  const steps = {
    first: () => show(0),
    back: () => show(now - 1),
    next: () => show(now + 1),
    last: () => show(last),
    play: () => timer === null ? play() : stop(),
  };
  function step(name) {
    if (name !== "play") stop();
    steps[name]();
  }

  function size(way) {
    zoom = Math.max(0, Math.min(3, zoom + way));
    board.style.setProperty("--zoom", [1, 1.5, 2.2, 3.2][zoom]);
  }

  // What an order is, on the board and in the table.
  function point(number) {
    const orders = [...board.querySelectorAll("[data-order]"), ...sections[now].querySelectorAll("[data-order]")];
    orders.forEach(order => order.classList.toggle("pointed", order.dataset.order === number));
  }
  const orderAt = event => event.target.closest("[data-order]");
  for (const area of [board, ...sections]) {
    area.addEventListener("mouseover", event => point(orderAt(event)?.dataset.order));
    area.addEventListener("mouseleave", () => point(undefined));
  }
  board.addEventListener("click", event => {
    const titled = event.target.closest(":not(svg):has(> title)");
    if (!titled) return;
    point(orderAt(event)?.dataset.order);
    told.textContent = titled.querySelector("title").textContent;
  });

  all("[data-step]").forEach(button => button.addEventListener("click", () => step(button.dataset.step)));
  all("[data-zoom]").forEach(button => button.addEventListener("click", () => size(Number(button.dataset.zoom))));
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  phase.addEventListener("change", () => { stop(); show(phase.selectedIndex); });
  chart.addEventListener("click", event => {
    const box = chart.getBoundingClientRect();
    const at = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
    const away = moments.map(moment => Math.abs(moment - at));
    stop();
    show(away.indexOf(Math.min(...away)));
  });

  const keys = {
    ArrowLeft: () => step("back"), ArrowRight: () => step("next"), Home: () => step("first"), End: () => step("last"),
    PageUp: () => { stop(); show(year(-1)); }, PageDown: () => { stop(); show(year(1)); },
    " ": () => step("play"), "+": () => size(1), "=": () => size(1), "-": () => size(-1),
  };
  document.addEventListener("keydown", event => {
    const own = event.target.closest("select, input, summary, a, button");
    // A button is pressed with the space bar, and nothing else is its own; the others know what to do with keys.
    const taken = own && (own.tagName !== "BUTTON" || event.key === " ");
    if (taken || event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  const linked = () => Math.max(0, names.indexOf(location.hash.slice(1)));
  // A link to a phase is no link to its tables: the page stays where it is.
  sections.forEach(section => section.removeAttribute("id"));
  addEventListener("hashchange", () => { if (linked() !== now) { stop(); show(linked()); } });
  document.body.classList.add("stepping");
  all("[hidden]:not(section)").forEach(element => { element.hidden = false; });
  show(linked());
})();
