// Reads the current frame of a page of `upheaval replay --html`, for `viewer.rs`.
() => {
    const all = selector => [...document.querySelectorAll(selector)];
    const title = element => element.querySelector("title").textContent;
    const sorted = list => list.sort((a, b) => a[0] - b[0]);
    const isAstray = unit => {
        // What belongs to a province that is too small for it is on a plate.
        const plate = document.querySelector(`#board .plate[data-province="${unit.dataset.province}"]`);
        const province = plate || document.querySelector(`#board .province:not(.hole)[data-province="${unit.dataset.province}"]`);
        if (!province) return !document.querySelector(`#board .hole[data-province~="${unit.dataset.province}"]`);
        const box = unit.querySelector("circle, path").getBBox();
        const at = document.querySelector("#board svg").createSVGPoint();
        [at.x, at.y] = [box.x + box.width / 2, box.y + box.height / 2];
        return !province.isPointInFill(at) && !unit.matches(".dislodged");
    };
    // Is any of it on top where it is drawn, or beside what is? Along it, and as far aside as its line is wide.
    const isSeen = event => {
        const line = event.lastElementChild, svg = event.ownerSVGElement;
        const wide = Number(line.getAttribute("stroke-width")), length = line.getTotalLength();
        const toScreen = svg.getScreenCTM();
        return [0.1, 0.3, 0.5, 0.7, 0.9].some(part => {
            const [a, b] = [part, part + 0.01].map(part => line.getPointAtLength(part * length));
            const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
            return [-0.45, 0, 0.45].some(aside => {
                const at = new DOMPoint(a.x - (b.y - a.y) / far * aside * wide, a.y + (b.x - a.x) / far * aside * wide);
                const screen = at.matrixTransform(toScreen);
                return document.elementsFromPoint(screen.x, screen.y)
                    .filter(e => !e.closest(".reach") && !e.closest(".units")).slice(0, 1).some(e => event.contains(e));
            });
        });
    };
    return {
        hash: location.hash.slice(1),
        units: all("#board .unit").map(u => [u.dataset.power, u.dataset.unit, u.matches(".dislodged")]).sort(),
        astray: all("#board .unit").filter(isAstray).map(title),
        centres: all("#board .centre[data-power]").map(c => [c.dataset.power, c.dataset.province]).sort(),
        arrows: sorted(all("#board .order").map(o => [Number(o.dataset.order), o.matches(".success"), title(o)])),
        rows: sorted(all(".phase:not([hidden]) tr[data-order]")
            .map(r => [Number(r.dataset.order), r.className === "success", r.cells[1].textContent, r.cells[2].textContent])),
        unseen: all("#board .event").filter(e => !isSeen(e)).map(title),
        outlines: all("#board .event").map(e => [e.matches(".past"), e.dataset.province, title(e)]),
    };
}
