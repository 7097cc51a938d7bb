// The moves of a game as text: what its PGN says, cut at the moves that the positions know.
//
// Read is PGN that skewer has written. A line in it may end in words that nobody could read, and a variation may have none that
// can be read; these are kept as they stand.

const WORDS = /\{[^}]*\}|[()]|\$\d+|\d+\.+|[^\s(){}]+/g;
const SYMBOLS = { 1: "!", 2: "?", 3: "‼", 4: "⁇", 5: "⁉", 6: "⁈", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+" };

/**
 * What a game's PGN says, in order: `{position, san, nags}` for a move with what stands directly behind it, `{nag}` for others, `{comment, said}` with the words of the game and those of the
 * query, `{open}` and `{close}` around variations, and `{raw}`.
 */
function scoreOf(game) {
  const positions = positionsOf(game);
  const said = new Map();
  for (const [id, words] of game.said || []) {
    said.set(id, [...(said.get(id) || []), words]);
  }
  const items = readScore(wordsOf(pgnOf(game)), positions, said);
  const isWhole = items.filter((item) => item.position).length === positions.length - 1;
  return isWhole ? items : positions.slice(1).map((position) => ({ position, san: squaresOf(position), nags: [] }));
}

/** The words of the moves, without the result. */
function wordsOf(pgn) {
  const moves = pgn.slice(pgn.indexOf("\n\n") + 2);
  return (moves.match(WORDS) || []).slice(0, -1);
}

function readScore(words, positions, said) {
  const items = [];
  const outer = []; // the lines around a variation
  let line = { here: positions[0], next: positions[0].children[0], siblings: [], unread: 0 };
  let isBegun = false; // a move of the line has been read
  const raw = (word) => items.push({ raw: word });
  words.forEach((word, index) => {
    if (line.unread > 0) {
      if (word === "(") line.unread += 1;
      if (word === ")") line.unread -= 1;
      if (line.unread > 0 || !line.endsWithRest) return raw(word);
    }
    if (word[0] === "{") {
      const at = isBegun || !outer.length ? line.here.id : null;
      items.push(comment(word.slice(1, -1), said.get(at) || [], at));
    } else if (/^\$\d/.test(word)) {
      const last = items.at(-1);
      if (last?.position) last.nags.push(word);
      else items.push({ nag: word });
    } else if (word === "(") {
      const [variation, ...others] = isBegun ? line.siblings : [];
      if (!variation || !fits(nextMove(words, index + 1), variation)) {
        line.unread = 1;
        line.endsWithRest = false;
        return raw(word);
      }
      line.siblings = others;
      outer.push(line);
      line = { here: variation.before, next: variation, siblings: [], unread: 0 };
      isBegun = false;
      items.push({ open: true });
    } else if (word === ")") {
      items.push({ close: true });
      line = outer.pop() || line;
      isBegun = true;
    } else if (/^\d+\.+$/.test(word)) {
      return;
    } else if (line.next && fits(word, line.next)) {
      items.push({ position: line.next, san: word, nags: [] });
      const [main, ...siblings] = line.next.before.children;
      line.siblings = line.next === main ? siblings : [];
      line.here = line.next;
      line.next = line.here.children[0];
      isBegun = true;
    } else {
      line.unread = 1;
      line.endsWithRest = true;
      raw(word);
    }
  });
  return items;
}

/** The first move of a variation, of which the words begin at an index. */
function nextMove(words, index) {
  let depth = 0;
  for (let at = index; at < words.length; at += 1) {
    const word = words[at];
    if (word === "(") depth += 1;
    else if (word === ")" && depth === 0) return "";
    else if (word === ")") depth -= 1;
    else if (depth === 0 && !/^(\{|\$\d|\d+\.)/.test(word)) return word;
  }
  return "";
}

/** Whether a word can be the move that led to a position. */
function fits(word, position) {
  const { before, from, to } = position;
  const san = word.replace(/[+#]$/, "");
  if (san === "O-O" || san === "O-O-O") return isCastling(position) && nameOf(to)[0] === (san === "O-O" ? "g" : "c");
  if (san === "--") return from === to;
  const [, , arrived] = /^(.*?)([a-h][1-8])(=[A-Z])?$/.exec(san) || [];
  if (arrived !== nameOf(to)) return false;
  const piece = /^[A-Z]/.test(san) ? san[0] : "P";
  return san.includes("@") || before.board[from].toUpperCase() === piece;
}

/** Whether the king has moved further than kings do, or a rook with it. */
function isCastling({ before, board, from, to }) {
  const rook = before.board[from] === "K" ? "R" : "r";
  const rooks = (board) => board.map((piece, square) => (piece === rook ? square : "")).join();
  return /k/i.test(before.board[from]) && (Math.abs(from - to) === 2 || rooks(board) !== rooks(before.board));
}

/** A comment, divided into what the game says and what the query has added to it. */
function comment(text, added, id) {
  const tidy = (words) => words.replace(/[{}]/g, "_").replace(/\s+/g, " ").trim();
  const [whole, end] = [tidy(text), tidy(added.join(" "))];
  // What is added stands behind the last comment of a position.
  const hasAdded = end !== "" && whole.endsWith(end);
  const own = hasAdded ? whole.slice(0, -end.length) : whole;
  // Commands to programs, such as the time on a clock, are no words.
  return { comment: tidy(own.replace(/\[%[^\]]*\]/g, " ")), said: hasAdded ? spoken(added, id) : [] };
}

/** The comments of a query without those that only mark a match and count its game. */
const spoken = (said, id) => said.filter((words) => words !== "CQL" && !(id === 0 && /^Game number \d+$/.test(words)));

/** A move without its name. */
const squaresOf = ({ from, to }) => (from === to ? "--" : nameOf(from) + "–" + nameOf(to));

const symbolOf = (nag) => SYMBOLS[nag.slice(1)] || nag;
