// Shows one phase of two games at a time.
(() => {
  const { lines, frames, steps } = JSON.parse(byId("boards").textContent);
  const sides = ["left", "right"];
  const boards = sides.map(side => byId(`${side}-board`)), told = sides.map(side => byId(`${side}-told`));
  const counts = byId("counts");

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

  const stepping = stepper((now, section, isPlaying) => {
    const said = [...section.querySelectorAll(".said")];
    sides.forEach((side, i) => {
      boards[i].innerHTML = svgOf(lines, frames[i][steps[now][i]]);
      boards[i].classList.toggle("idle", section.dataset[side] === "idle");
      told[i].textContent = said[i].textContent;
    });
    mark();
    count(section);
    // Screen readers are silent while the games play.
    counts.setAttribute("aria-live", isPlaying ? "off" : "polite");
  });

  // A touch shows the same text as pointing does, above the board that is touched.
  boards.forEach((board, i) => board.addEventListener("click", event => {
    told[i].textContent = titleAt(board, event) ?? told[i].textContent;
  }));

  stepping.start({});
})();
