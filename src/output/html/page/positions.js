// The positions of a game. Its moves say what changes on the board and where the FEN is another than one expects (see moves.rs),
// so nothing here knows the rules of chess.

const USUAL_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const REMEMBERED = 64; // games of which the positions are kept

const nameOf = (square) => "abcdefgh"[square % 8] + (1 + (square >> 3));
const remembered = new Map();

/** The positions of a game by their ids. */
function positionsOf(game) {
  let positions = remembered.get(game);
  if (!positions) {
    positions = replay(game);
    if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value);
    remembered.set(game, positions);
  }
  return positions;
}

function replay(game) {
  const fen = game.start || USUAL_START;
  const positions = [{ id: 0, before: null, children: [], board: boardOf(fen), fen }];
  const move = /(?:\((\d+)\))?([\w-])([\w-])(?:\[([^\]]*)\])?(?:\{([^}]*)\})?/g;
  for (const [, parent, left, arrived, changes, surprise] of game.moves.matchAll(move)) {
    const id = positions.length;
    const before = positions[parent ?? id - 1];
    const [from, to] = [LETTERS.indexOf(left), LETTERS.indexOf(arrived)];
    const board = before.board.slice();
    if (from !== to) {
      board[to] = board[from];
      board[from] = "";
    }
    for (let i = 0; changes && i < changes.length; i += 2) {
      board[LETTERS.indexOf(changes[i])] = changes[i + 1].replace(".", "");
    }
    const position = { id, before, children: [], board, from, to, fen: "" };
    position.fen = fenOf(position, surprise);
    before.children.push(position);
    positions.push(position);
  }
  return positions;
}

/** The pieces of a FEN by square; a pocket follows the board in brackets, and `~` a piece that was a pawn. */
function boardOf(fen) {
  const board = new Array(64).fill("");
  fen.split(/[ []/)[0].replaceAll("~", "").split("/").forEach((rank, row) => {
    let square = 8 * (7 - row);
    for (const sign of rank) {
      if (sign >= "1" && sign <= "8") square += Number(sign);
      else board[square++] = sign;
    }
  });
  return board;
}

function fenOf(position, surprise) {
  if (surprise?.includes("/")) return surprise;
  const { before, from, to } = position;
  const [, turn, castling, , clock, moves] = before.fen.split(" ");
  const isProgress = from !== to && (/p/i.test(before.board[from]) || before.board[to]);
  const rights = surprise ?? castling + " -";
  const counters = [isProgress ? 0 : Number(clock) + 1, Number(moves) + (turn === "b" ? 1 : 0)];
  return [placement(position.board), turn === "w" ? "b" : "w", rights, ...counters].join(" ");
}

/** The first field of a FEN. */
function placement(board) {
  const ranks = [];
  for (let rank = 7; rank >= 0; rank -= 1) {
    const pieces = board.slice(8 * rank, 8 * rank + 8).map((piece) => piece || "1");
    ranks.push(pieces.join("").replace(/1+/g, (empty) => empty.length));
  }
  return ranks.join("/");
}

const turnOf = (position) => position.fen.split(" ")[1];

/** The number before the move that led to a position: `12.` or `12...`. */
function numberOf(position) {
  const fields = position.before.fen.split(" ");
  return fields[fields.length - 1] + (fields[1] === "w" ? "." : "...");
}

/** The positions from the first one to this one. */
function wayTo(position) {
  const way = [];
  for (let here = position; here; here = here.before) way.push(here);
  return way.reverse();
}

/** The ids of the positions on the line of a match, without the one where it begins. */
function lineOf(match) {
  if (!match.line) return [];
  const [first, last] = match.line;
  const ids = wayTo(positionsOf(match.game)[last]).map((position) => position.id);
  return ids.slice(ids.indexOf(first) + 1);
}
