// The data of the page. They stand in two lines for each game: an object with its tags, moves and matches, then its PGN as a
// string, which is not looked at before somebody asks for it.

const $ = (id) => document.getElementById(id);
const html = (text) => String(text).replace(/[&<>"']/g, (sign) => "&#" + sign.charCodeAt(0) + ";");
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const number = (count) => count.toLocaleString("en");
const plural = (count, word) => number(count) + " " + word + (count === 1 ? "" : "s");
const compare = new Intl.Collator("en", { sensitivity: "base", numeric: true }).compare;

const lines = $("data").textContent.split("\n");
const totals = JSON.parse($("totals").textContent);
const games = [];
const matches = [];

for (let at = 1; at + 1 < lines.length; at += 2) {
  const game = JSON.parse(lines[at]);
  game.line = at + 1;
  game.matches = game.matches.map(([id, move, squares, rays, moves, line, solution], index) => {
    const values = game.values?.[index] ?? [];
    const match = { game, id, move, squares, rays, moves, line, solution, values, place: matches.length };
    matches.push(match);
    return match;
  });
  games.push(game);
}

const pgnOf = (game) => JSON.parse(lines[game.line]);

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
