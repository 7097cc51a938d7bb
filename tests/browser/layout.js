// What a reader could not see or read of a page at the width that it has: a list of complaints.
(() => {
  const complaints = [];
  const isThere = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isThere);
  const name = (element) => {
    const text = (element.getAttribute("aria-label") || element.textContent).trim().slice(0, 40);
    return `${element.tagName.toLowerCase()}#${element.id}.${element.className} "${text}"`;
  };
  const room = document.documentElement.clientWidth;

  if (document.documentElement.scrollWidth > room) {
    complaints.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${room}`);
  }

  // Buttons, heads of columns, years, results, legends: whole, and inside the window.
  for (const element of all("button, [role=columnheader], .date, .result, .match .number, .match .move, #legend span, #place, .turn")) {
    const box = element.getBoundingClientRect();
    if (element.closest(".unseen")) continue;
    if (box.left < -0.5 || box.right > room + 0.5) complaints.push(`outside of the window: ${name(element)}`);
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") {
      complaints.push(`cut: ${name(element)}: ${element.scrollWidth} in ${element.clientWidth}`);
    }
  }

  // What has no room in the panel of the game can be scrolled to.
  for (const panel of all("#game")) {
    const { bottom } = panel.getBoundingClientRect();
    const isOut = (button) => button.getBoundingClientRect().bottom > bottom + 0.5;
    const below = getComputedStyle(panel).overflowY === "auto" ? [] : all("#game button").filter(isOut);
    complaints.push(...below.map((button) => `below the panel: ${name(button)}`));
  }

  // Controls for fingers and for the mouse.
  const least = room < 720 ? 34 : 28;
  for (const element of all("button")) {
    const { width, height } = element.getBoundingClientRect();
    if (Math.min(width, height) < least) complaints.push(`small: ${name(element)}: ${width} x ${height}`);
  }

  // Drawings: nothing round is stretched, and nothing lies over letters and numbers.
  for (const element of all("svg[preserveAspectRatio=none] :is(circle, ellipse, text)")) complaints.push(`stretched: ${name(element)}`);
  for (const drawing of all("svg")) {
    const pieces = [...drawing.querySelectorAll("use.w, use.b")].map((piece) => piece.getBoundingClientRect());
    for (const element of [...drawing.querySelectorAll("text")].filter(isThere)) {
      const box = element.getBoundingClientRect();
      const isUnder = (piece) => piece.left < box.right && box.left < piece.right && piece.top < box.bottom && box.top < piece.bottom;
      if (pieces.some(isUnder)) complaints.push(`under a piece: ${name(element)}`);
    }
  }
  for (const element of all("#curve")) {
    const box = element.getBoundingClientRect();
    if (box.height < 60 || box.width < 200) complaints.push(`a curve of ${box.width} x ${box.height}`);
  }

  // Contrast of text, 4.5 to 1.
  const channels = (color) => (color.match(/[\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  // What is behind an element and how opaque it is. Many elements stand in the same ones, which are asked once.
  const grounds = new Map();
  const ground = (element) => {
    if (!element) return { color: channels(getComputedStyle(document.documentElement).backgroundColor), opacity: 1 };
    if (!grounds.has(element)) {
      const around = ground(element.parentElement);
      const style = getComputedStyle(element);
      const color = channels(style.backgroundColor);
      const covers = color.length === 3 || color[3] > 0.9;
      grounds.set(element, { color: covers ? color : around.color, opacity: around.opacity * Number(style.opacity) });
    }
    return grounds.get(element);
  };
  for (const element of all("body :not(svg, svg *)")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || element.closest("script, style, dialog, #toast, .unseen, :disabled")) continue;
    const { color, opacity } = ground(element);
    const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(color)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5 || opacity < 1) complaints.push(`faint: ${name(element)}: ${contrast.toFixed(2)}, opacity ${opacity}`);
  }

  // What a text reader says.
  for (const element of all("button, input, [role=grid], [role=img]")) {
    if (!(element.getAttribute("aria-label") || element.textContent.trim())) complaints.push(`without a name: ${element.outerHTML.slice(0, 80)}`);
  }
  return complaints;
})()
