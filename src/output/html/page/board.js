// Boards as drawings.

const SIDE = 45; // of a square

const squaresIn = (text) => text.match(/[a-h][1-8]/g) || [];
const pairsIn = (text) => text.match(/[a-h][1-8][a-h][1-8]/g) || [];
/** Squares, or pairs of them, with the letters of colours in front. */
const coloredIn = (text) => text.match(/[GRYB](?:[a-h][1-8])+/g) || [];
const COLORS = { G: "green", R: "red", Y: "yellow", B: "blue" };
const colorOf = (shape) => "shape " + COLORS[shape[0]];

function corner(square, turned) {
  const x = (square.charCodeAt(0) - 97) * SIDE;
  const y = (56 - square.charCodeAt(1)) * SIDE;
  return turned ? [315 - x, 315 - y] : [x, y];
}

/** An arrow between the middles of two squares; its tip does not reach below a piece that it points at. */
function arrow(kind, pair, isOccupied, turned) {
  const [x1, y1] = corner(pair.slice(0, 2), turned).map((n) => n + SIDE / 2);
  const [x2, y2] = corner(pair.slice(2), turned).map((n) => n + SIDE / 2);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (!length) return "";
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const point = (along, aside) => (x1 + dx * along - dy * aside).toFixed(1) + " " + (y1 + dy * along + dx * aside).toFixed(1);
  const tip = length - (isOccupied(pair.slice(2)) ? 13 : 4);
  const neck = tip - 15;
  const title = kind === "ray" ? `${pair.slice(0, 2)} sees ${pair.slice(2)}` : `${pair.slice(0, 2)}–${pair.slice(2)}`;
  return `<g class="${kind}"><title>${title}</title><path d="M${point(0, 0)}L${point(neck, 0)}"/><polygon points="${point(tip, 0)} ${point(neck, 8.5)} ${point(neck, -8.5)}"/></g>`;
}

function coordinates(turned) {
  let text = "";
  for (let i = 0; i < 8; i += 1) {
    const [file, rank] = turned ? ["hgfedcba"[i], i + 1] : ["abcdefgh"[i], 8 - i];
    const middle = i * SIDE + SIDE / 2;
    text += `<text class="coordinate" x="${middle}" y="374">${file}</text><text class="coordinate" x="-9" y="${middle + 4}">${rank}</text>`;
  }
  return text;
}

/** The squares of the move that led to a position, where boards have marks. */
function arrival(position) {
  if (totals.plain || !position.before || (position.from === position.to && !isDrop(position))) return [];
  return [nameOf(position.from), nameOf(position.to)];
}

const isDrop = ({ before, board, to }) => !before.board[to] && board[to] !== "";

/**
 * A board with its marks: the move that led there, what comments draw and, if the position matches, what of it made the match (see `marksOf`).
 * A large one has letters and numbers at its edges, and says in words where the pieces are.
 */
function drawing(position, marks, turned, isLarge) {
  const at = (square) => {
    const [x, y] = corner(square, turned);
    return `x="${x}" y="${y}" width="${SIDE}" height="${SIDE}"`;
  };
  const marked = (square) => {
    const [x, y] = corner(square, turned);
    return `<rect class="sq" x="${x + 2}" y="${y + 2}" width="41" height="41" rx="5"/>`;
  };
  const piece = (letter, square) => {
    const kind = letter.toLowerCase();
    return letter && `<use href="#skewer-${kind}" class="${letter === kind ? "b" : "w"}" ${at(nameOf(square))}/>`;
  };
  const names = new Set(position.board.map((letter, square) => letter && nameOf(square)));
  const isOccupied = (square) => names.has(square);
  const label = isLarge ? described(position, marks) : "Board";
  const view = isLarge ? "-16 -2 378 380" : "-2 -2 364 364";
  return (
    `<svg class="position" viewBox="${view}" role="img" aria-label="${html(label)}"><use href="#board" width="360" height="360"/>` +
    marks.last.map((square) => `<rect class="last" ${at(square)}/>`).join("") +
    coloredIn(marks.drawn[0]).map((shape) => `<rect class="${colorOf(shape)}" ${at(shape.slice(1))}/>`).join("") +
    coloredIn(marks.drawn[1]).map((shape) => arrow(colorOf(shape), shape.slice(1), isOccupied, turned)).join("") +
    squaresIn(marks.squares).map(marked).join("") +
    (isLarge ? coordinates(turned) : "") +
    pairsIn(marks.rays).map((pair) => arrow("ray", pair, isOccupied, turned)).join("") +
    pairsIn(marks.moves).map((pair) => arrow("mv", pair, isOccupied, turned)).join("") +
    position.board.map(piece).join("") +
    '<path class="frame" d="M0 0H360V360H0Z"/></svg>'
  );
}

function described(position, marks) {
  const listed = (isOfSide) =>
    position.board
      .map((letter, square) => (letter && isOfSide(letter) ? letter.toUpperCase().replace("P", "") + nameOf(square) : ""))
      .filter(Boolean)
      .join(" ");
  const white = listed((letter) => letter === letter.toUpperCase());
  const black = listed((letter) => letter === letter.toLowerCase());
  if (!white && !black) return "An empty board.";
  const mover = turnOf(position) === "w" ? "White" : "Black";
  const marked = marks.squares ? ` Highlighted: ${squaresIn(marks.squares).join(", ")}.` : "";
  return `${mover} to move. White: ${white}. Black: ${black}.${marked}`;
}
