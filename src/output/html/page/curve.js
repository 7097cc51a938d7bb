// The curve of the evaluations: White's winning chances through the main line of the game, and what the clock shows.

const CURVE = { width: 600, height: 72 };

/** White's winning chances, from -1 to 1, for centipawns; mates are beyond 90,000. */
function chancesOf(value) {
  if (Math.abs(value) > 90000) return Math.sign(value);
  return 2 / (1 + Math.exp(-0.00368208 * value)) - 1;
}

/** An evaluation as players write it: `+0.35`, `−1.20`, `#4`, `#−4`. */
function evalText(value) {
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (size > 90000) return `#${sign}${100000 - size}`;
  return `${sign || (size ? "+" : "")}${(size / 100).toFixed(2)}`;
}

/** Tenths of a second as a clock shows them: `1:02:03`, and below a minute `0:09.5`. */
function clockText(tenths) {
  const two = (count) => String(count).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
  const rest = tenths < 600 ? `.${tenths % 10}` : "";
  return (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(seconds)}${rest}`;
}

/** What engine and clock say of a position. */
function measuresOf(game, id) {
  const [value, tenths] = [game.evals?.[id], game.clocks?.[id]];
  return [value == null ? "" : evalText(value), tenths == null || id === 0 ? "" : clockText(tenths)].filter(Boolean);
}

const curveX = (game, id) => (CURVE.width * id) / Math.max(1, game.evals.length - 1);
const curveY = (value) => (CURVE.height * (1 - chancesOf(value))) / 2;

/** Where a position stands: at its evaluation or, as a mate has none, at the last one before. */
function curvePoint(game, id) {
  const value = game.evals.slice(0, id + 1).findLast((value) => value != null) ?? 0;
  return [curveX(game, id), curveY(value)];
}

/** The axes: evaluations in pawns at the left, numbers of moves below, with lines through the drawing. */
function axesOf(game) {
  const { width, height } = CURVE;
  const last = game.evals.length - 1;
  const values = [500, 200, 0, -200, -500];
  const rows = values.map((value) => ({
    at: curveY(value),
    text: value ? (value < 0 ? "−" : "+") + Math.abs(value) / 100 : "0",
    line: `M0 ${curveY(value).toFixed(1)}H${width}`,
    isEven: value === 0,
  }));
  // Every fifth move, or fewer, so that numbers do not touch each other.
  const [, turn, , , , first] = (game.start || USUAL_START).split(" ");
  const start = 2 * Number(first) + (turn === "b" ? 1 : 0);
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((moves) => last / 2 / moves <= 8) || 1000;
  const columns = [];
  for (let id = 1; id <= last; id += 1) {
    // The positions after White's moves of these numbers.
    const ply = start + id - 1;
    if (ply % 2 === 0 && (ply / 2) % every === 0) columns.push({ id, text: ply / 2 });
  }
  const lines = rows.map((row) => `<path class="${row.isEven ? "even" : "grid"}" d="${row.line}"/>`);
  const percent = (part, whole) => ((100 * part) / whole).toFixed(2) + "%";
  const names = [
    ...rows.map((row) => `<span class="value" data-top="${percent(row.at, height)}">${row.text}</span>`),
    ...columns.map(({ id, text }) => `<span class="move-number" data-left="${percent(curveX(game, id), width)}">${text}</span>`),
  ];
  return [lines.join(""), `<div class="axes" aria-hidden="true">${names.join("")}</div>`];
}

/** Draws the curve of a game; nothing if it has no evaluations. */
function drawCurve(game) {
  const curve = $("curve");
  curve.hidden = !game.evals;
  if (!game.evals) {
    curve.innerHTML = "";
    return;
  }
  const { width, height } = CURVE;
  // Where an evaluation is missing, the curve is interrupted.
  const runs = [[]];
  game.evals.forEach((value, id) => {
    if (value == null) runs.push([]);
    else runs.at(-1).push([curveX(game, id), curveY(value)]);
  });
  const point = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;
  const drawn = runs.filter((run) => run.length).map((run) => {
    const area = [[run[0][0], height / 2], ...run, [run.at(-1)[0], height / 2]];
    return `<polygon points="${area.map(point).join(" ")}"/><polyline points="${run.map(point).join(" ")}"/>`;
  });
  const found = game.matches
    .filter(({ id }) => id < game.evals.length)
    .map(({ id }) => `<path class="found" d="M${point(curvePoint(game, id))}h0"/>`);
  const [lines, axes] = axesOf(game);
  curve.innerHTML =
    `<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="Evaluations: White’s winning chances, move by move">` +
    `${lines}${drawn.join("")}${found.join("")}<line y1="0" y2="${height}"/></svg>${axes}`;
  // Not as attributes of style, which a strict content security policy forbids.
  for (const name of curve.querySelectorAll(".axes span")) Object.assign(name.style, name.dataset);
}

/** Marks the position that is shown on the curve, if it is on the main line. */
function markCurve(game, position) {
  const here = $("curve").querySelector("line");
  if (!here) return;
  const isThere = position.id < game.evals.length;
  here.toggleAttribute("hidden", !isThere);
  if (!isThere) return;
  const x = curveX(game, position.id).toFixed(1);
  here.setAttribute("x1", x);
  here.setAttribute("x2", x);
}

$("curve").addEventListener("click", (event) => {
  const { game } = view.match || {};
  if (!game?.evals) return;
  const { left, width } = $("curve").firstElementChild.getBoundingClientRect();
  const place = Math.round(((event.clientX - left) / width) * (game.evals.length - 1));
  stop();
  go(positionsOf(game)[Math.max(0, Math.min(game.evals.length - 1, place))]);
});
