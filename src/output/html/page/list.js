// The list of matches, of which only the rows near the window are there. The window scrolls through it; a list that is higher than
// browsers can draw is scrolled through by steps of its own: `shift` is how far the rows stand above the place they would have.

const HIGHEST = 8000000; // pixels; Firefox ends at 17 million, Chromium at 33
const NEARBY = 600; // pixels above and below the window in which rows are drawn

const ownColumns = [
  { id: "number", name: "#", tile: "As found", cell: (match) => number(match.place + 1), order: (a, b) => a.place - b.place },
  { id: "thumb", name: "Board", cell: (match) => boardOfMatch(match, view.isTurned, false) },
  {
    id: "players",
    name: "Players",
    cell: ({ game }) => playerOf(game, "w") + playerOf(game, "b"),
    order: (a, b) => compare(a.game.white || "", b.game.white || "") || compare(a.game.black || "", b.game.black || ""),
  },
  {
    id: "event",
    name: "Event",
    cell: ({ game }) => `<span class="two">${html(known(game.event))}</span><span class="small one">${html(siteOf(game))}</span>`,
    order: (a, b) => compare(known(a.game.event), known(b.game.event)) || compare(a.game.date || "", b.game.date || ""),
  },
  { id: "date", name: "Year", cell: ({ game }) => html(yearOf(game)), order: (a, b) => compare(a.game.date || "", b.game.date || "") },
  { id: "result", name: "Result", cell: ({ game }) => (isHidden ? "" : html(resultOf(game))), order: (a, b) => compare(a.game.result || "", b.game.result || "") },
  {
    id: "move",
    name: "Move",
    cell: (match) => `<span>${isHidden ? moverOf(match) : html(match.move || "start")}</span>`,
    order: (a, b) => plyOf(a) - plyOf(b),
  },
];

/** The columns of a list of what was found: those that each has, the sort keys, and those that were asked for. */
function columnsOf({ sort, columns }) {
  const keys = sort.map((name, key) => {
    const value = (match) => String(match.game.sort[key] ?? "");
    const cell = (match) => (isHidden ? "" : `<span class="in-tiles small">${html(name)} </span>${html(value(match))}`);
    return { id: "key", name, cell, order: (a, b) => compare(value(a), value(b)) };
  });
  const added = columns.map((name, place) => {
    const value = (match) => match.values[place] ?? "";
    const shown = (match) => `<span class="in-tiles small">${html(name)} </span><span title="${html(value(match))}">${html(value(match))}</span>`;
    const cell = (match) => (isHidden ? "" : shown(match));
    return { id: "key", name, cell, order: (a, b) => byValue(value(a), value(b)) };
  });
  return [...ownColumns, ...keys, ...added];
}

/** The order of two values of a column: numbers by how great they are, all else as text. */
function byValue(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : compare(String(a), String(b));
}

const grid = $("grid");
const rows = $("rows");
let columns = columnsOf(totals);
let shown = matches; // those that the filter lets through, in order
let sorted = { column: columns[0], isDown: false };
let rowHeight = 1;
let shift = 0;
let lastTop = 0;
const drawn = new Map(); // the rows that are there, by their place among those shown

function playerOf(game, color) {
  const [name, elo] = color === "w" ? [game.white, game.white_elo] : [game.black, game.black_elo];
  const rating = elo ? ` <span class="small">${html(elo)}</span>` : "";
  const title = [known(name), elo].filter(Boolean).join(" ");
  return `<span class="name ${color}-side" title="${html(title)}"><span class="text">${html(known(name) || "?")}${rating}</span></span>`;
}

// ---- rows

const wholeHeight = () => shown.length * rowHeight;
const roomHeight = () => Math.min(wholeHeight(), HIGHEST);
/** How far the window is below the top of the room for the rows. */
const scrolled = () => -rows.getBoundingClientRect().top;

/** Draws the rows near the window. */
function draw() {
  steer();
  $("game").style.setProperty("--top", Math.max(12, Math.round($("matches").getBoundingClientRect().top)) + "px");
  const top = scrolled() + shift;
  const first = Math.max(0, Math.floor((top - NEARBY) / rowHeight));
  const last = Math.min(shown.length, Math.ceil((top + innerHeight + NEARBY) / rowHeight));
  for (const [place, row] of drawn) {
    if (place >= first && place < last) continue;
    row.remove();
    drawn.delete(place);
  }
  for (let place = first; place < last; place += 1) {
    if (!drawn.has(place)) drawn.set(place, rowOf(place));
    drawn.get(place).style.transform = `translateY(${place * rowHeight - shift}px)`;
  }
}

/** Finds out which part of a long list is in the window: near by when it was scrolled a little, else as far as the scroll bar says. */
function steer() {
  const top = scrolled();
  const [room, whole] = [roomHeight(), wholeHeight()];
  const isFar = Math.abs(top - lastTop) > innerHeight;
  const isNearEnd = top < innerHeight || top > room - 2 * innerHeight;
  if (whole === room || top <= 0) shift = 0;
  else if (top >= room - innerHeight) shift = whole - room;
  else if (isFar) shift = (top * (whole - room)) / (room - innerHeight);
  else if (isNearEnd) scrollToPlace(top + shift);
  lastTop = scrolled();
}

/** Brings a place of the whole list to the top of the window, and the scroll bar to where it belongs. */
function scrollToPlace(place) {
  const top = (place * (roomHeight() - innerHeight)) / Math.max(1, wholeHeight() - innerHeight);
  const isShort = wholeHeight() === roomHeight();
  scrollBy({ top: Math.round((isShort ? place : top) - scrolled()), behavior: "instant" });
  lastTop = scrolled();
  shift = isShort ? 0 : place - lastTop;
}

/** Scrolls as far as it takes to see a row. */
function reveal(match) {
  const top = shown.indexOf(match) * rowHeight;
  const [head, window] = [$("columns").offsetHeight, scrolled() + shift];
  const above = top - head - 8;
  const below = top + rowHeight + 8 - innerHeight;
  if (window <= above || window >= below) {
    const place = window > above ? above : window < below ? below : window;
    if (Math.abs(place - window) < innerHeight) scrollBy({ top: place - window, behavior: "instant" });
    else scrollToPlace(place);
  }
  draw();
}

function rowOf(place) {
  const match = shown[place];
  const row = document.createElement("div");
  row.className = "match";
  row.id = "match-" + match.place;
  row.dataset.place = match.place;
  row.setAttribute("role", "row");
  row.setAttribute("aria-rowindex", place + 2);
  row.setAttribute("aria-selected", match === view.match);
  row.innerHTML = columns.map((column) => `<div role="gridcell" class="${column.id}">${column.cell(match)}</div>`).join("");
  rows.append(row);
  return row;
}

/** Draws all rows anew. */
function redraw() {
  for (const row of drawn.values()) row.remove();
  drawn.clear();
  draw();
}

/** Makes room for the rows that are shown, in the height that a window of this width gives them. */
function layOut() {
  const first = (scrolled() + shift) / rowHeight;
  const before = rowHeight;
  rowHeight = parseFloat(getComputedStyle(rows).getPropertyValue("--row"));
  rows.style.height = roomHeight() + "px";
  if (rowHeight !== before && first > 0) scrollToPlace(first * rowHeight);
  redraw();
}

// ---- order and filter

/** The name of a column, and the one that its button has where there are tiles and no columns. */
const nameOfColumn = ({ name, tile = name }) =>
  tile === name ? `<span>${html(name)}</span>` : `<span class="in-columns">${html(name)}</span><span class="in-tiles">${html(tile)}</span>`;

function writeColumns() {
  $("columns").innerHTML = columns
    .map((column, index) => {
      const isSorted = column === sorted.column;
      const order = isSorted ? ` aria-sort="${sorted.isDown ? "descending" : "ascending"}"` : "";
      const sign = isSorted ? (sorted.isDown ? "▼" : "▲") : "";
      const arrow = `<span class="order" aria-hidden="true">${sign}</span>`;
      const label = column.order
        ? `<button type="button" data-column="${index}">${nameOfColumn(column)}${arrow}</button>`
        : `<span class="unseen">${column.name}</span>`;
      return `<div role="columnheader" class="${column.id}"${order}>${label}</div>`;
    })
    .join("");
  const digits = number(matches.length).length;
  grid.style.setProperty("--digits", Math.max(2, digits));
  grid.style.setProperty("--keys", [...totals.sort, ...totals.columns].map(() => "minmax(5.4rem, 9rem)").join(" "));
}

function sortBy(column) {
  sorted = { column, isDown: sorted.column === column && !sorted.isDown };
  writeColumns();
  choose();
  $("columns").querySelector(`[data-column="${columns.indexOf(column)}"]`).focus({ preventScroll: true });
}

/** Shows what the filter lets through, in order, from its top. */
function choose() {
  arrange();
  shift = 0;
  layOut();
  if (scrolled() > 0) $("matches").scrollIntoView();
  draw();
  if (!shown.length) empty();
  else if (!shown.includes(view.match)) select(shown[0], false);
}

/** Finds out what the filter lets through, and puts it in order. */
function arrange() {
  const words = plain($("filter").value).split(/\s+/).filter(Boolean);
  shown = words.length ? matches.filter((match) => has(match, words)) : matches.slice();
  if (sorted.column !== columns[0] || sorted.isDown) {
    const sign = sorted.isDown ? -1 : 1;
    shown.sort((a, b) => sign * sorted.column.order(a, b) || a.place - b.place);
  }
  grid.setAttribute("aria-rowcount", shown.length + 1);
  grid.hidden = shown.length === 0;
  $("nothing").hidden = shown.length > 0;
  $("nothing").textContent = matches.length ? "Nothing fits this filter." : "No position matches.";
  $("shown").textContent = shown.length < matches.length ? `${number(shown.length)} of ${number(matches.length)}` : "";
}

/** Marks the row of the selected match. */
function markRow(match) {
  for (const row of rows.querySelectorAll('[aria-selected="true"]')) row.setAttribute("aria-selected", "false");
  grid.removeAttribute("aria-activedescendant");
  const row = match && $("match-" + match.place);
  if (!row) return;
  row.setAttribute("aria-selected", "true");
  grid.setAttribute("aria-activedescendant", row.id);
}
