[...document.querySelectorAll("svg")].flatMap(svg => {
    const view = svg.viewBox.baseVal;
    const boxes = [...svg.querySelectorAll("text")].map(text => [text.textContent, text.getBBox()]);
    const out = boxes.filter(([, b]) => b.x < -1 || b.y < -1 || b.x + b.width > view.width + 1 || b.y + b.height > view.height + 1)
        .map(([name]) => `${svg.getAttribute("aria-label")}: ${name} sticks out`);
    const on = boxes.flatMap(([name, a], i) => boxes.slice(i + 1).filter(([, b]) =>
        Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1.5 &&
        Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 3.5)
        .map(([other]) => `${svg.getAttribute("aria-label")}: ${name} lies on ${other}`));
    return [...out, ...on];
})
