// Shows one phase at a time.
(() => {
  const { lines, frames } = JSON.parse(byId("boards").textContent);
  const [board, told, phase, power] = ["board", "told", "phase", "power"].map(byId);
  const chart = document.querySelector("#centres svg");
  const moments = [...phase.options].map(option => Number(option.dataset.moment));
  const largest = 8;
  let zoom = 1;

  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const heights = [...chart.querySelectorAll(".grid, .axis")].map(line => Number(line.getAttribute("y1")));
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", Math.min(...heights));
  cursor.setAttribute("y2", Math.max(...heights));
  chart.append(cursor);

  const steps = stepper((now, section, isPlaying) => {
    board.innerHTML = svgOf(lines, frames[now]);
    filter();
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, moments[now]);
    // Screen readers are silent while the game plays.
    told.setAttribute("aria-live", isPlaying ? "off" : "polite");
    told.textContent = `${section.querySelector("h2").textContent}. ${section.querySelector(".said").textContent}`;
  });

  // The first phase of the year before or after this one.
  function year(way) {
    const wanted = String(Number(steps.section().dataset.year) + way);
    const other = steps.sections.findIndex(section => section.dataset.year === wanted);
    if (other >= 0) return other;
    return way < 0 ? 0 : steps.last;
  }

  // Shows the orders and units of the selected power, or of all powers.
  function filter() {
    const parts = [...board.querySelectorAll(".order, .reach, .unit"), ...steps.section().querySelectorAll("tr[data-power]")];
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
    const orders = [...board.querySelectorAll("[data-order]"), ...steps.section().querySelectorAll("[data-order]")];
    orders.forEach(order => order.classList.toggle("pointed", order.dataset.order === number));
  }
  const orderAt = event => event.target.closest("[data-order]")?.dataset.order;
  for (const area of [board, ...steps.sections]) {
    area.addEventListener("mouseover", event => point(orderAt(event)));
    area.addEventListener("mouseleave", () => point(undefined));
  }
  // A touch shows the same text as pointing.
  board.addEventListener("click", event => {
    const title = titleAt(board, event);
    if (title === undefined) return;
    point(orderAt(event));
    told.textContent = title;
  });

  all("[data-zoom]").forEach(button => button.addEventListener("click", () => size(zoom * 1.5 ** button.dataset.zoom)));
  power.addEventListener("change", filter);
  chart.addEventListener("click", event => {
    const box = chart.getBoundingClientRect();
    const at = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
    const away = moments.map(moment => Math.abs(moment - at));
    steps.show(away.indexOf(Math.min(...away)));
  });

  // A scrolling element uses the arrows itself.
  function isTaken(event) {
    const scrolls = event.target.closest("[tabindex]");
    return event.key.startsWith("Arrow") && scrolls !== null && scrolls.scrollWidth > scrolls.clientWidth;
  }
  steps.start({
    more: {
      PageUp: () => steps.show(year(-1)), PageDown: () => steps.show(year(1)),
      "+": () => size(zoom * 1.5), "=": () => size(zoom * 1.5), "-": () => size(zoom / 1.5),
    },
    isTaken,
    missing: name => { told.textContent = `There is no phase ${name} in this game. ${told.textContent}`; },
  });
})();
