// The data of the page: the games that were found, and their matches. See start.js for where they come from.

const $ = (id) => document.getElementById(id);
// A blank stands for what would turn the order of the text behind it around.
const html = (text) =>
  String(text)
    .replace(/\p{Bidi_Control}/gu, " ")
    .replace(/[&<>"']/g, (sign) => "&#" + sign.charCodeAt(0) + ";");
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const number = (count) => count.toLocaleString("en");
const plural = (count, word) => number(count) + " " + word + (count === 1 ? "" : "s");
const compare = new Intl.Collator("en", { sensitivity: "base", numeric: true }).compare;

const games = [];
const matches = [];
/** What is known of the whole search. */
let totals = JSON.parse($("totals").textContent);

/** Adds a game: its tags, moves and matches, and its PGN as JSON, which is not looked at before somebody asks for it. */
function addGame(game, pgn) {
  game.pgn = pgn;
  game.matches = game.matches.map(([id, move, squares, rays, moves, line, solution], index) => {
    const values = game.values?.[index] ?? [];
    const match = { game, id, move, squares, rays, moves, line, solution, values, place: matches.length };
    matches.push(match);
    return match;
  });
  games.push(game);
}

const pgnOf = (game) => JSON.parse(game.pgn);

const known = (value) => (value && value !== "?" ? value : "");
const yearOf = (game) => (/^\d{4}/.exec(game.date || "") || [""])[0];
const dateOf = (game) => (game.date || "").replace(/\.\?\?/g, "").replace(/\?/g, "");
const resultOf = (game) => (game.result || "*").replace("1/2-1/2", "½–½").replace("-", "–");

/** The site, unless the event says it already or it is an address. */
function siteOf(game) {
  const site = known(game.site);
  return site && site !== game.event && !/^https?:/.test(site) ? site : "";
}

/** How many moves of both sides there are before the move of a match, as its number says. */
function plyOf(match) {
  const [, moves, isBlack] = /^(\d+)(\.\.\.)?/.exec(match.move) || [null, 0, ""];
  return 2 * Number(moves) + (isBlack ? 1 : 0);
}

/** Whether a match has all of some words, given as `plain` makes them, in its tags or its move. */
function has(match, words) {
  const { game } = match;
  game.text ??= plain(
    [game.white, game.black, game.event, game.site, game.date, game.result, game.eco].filter(Boolean).join(" "),
  );
  const move = match.move.toLowerCase();
  return words.every((word) => game.text.includes(word) || move.includes(word));
}
