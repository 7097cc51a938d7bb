"""A preprocessor of mdBook: below an example query stands a link that opens it in the playground, where that has been built."""

import json
import posixpath
import re
import shlex
import sys
from pathlib import Path
from urllib.parse import quote

PLAYGROUND = Path(__file__).resolve().parent.parent / "web" / "dist" / "playground" / "index.html"
BLOCK = re.compile(r"^```(cql|sh)\n(.*?)^```\n", re.M | re.S)
# What a search may say beside the query for the playground to search the same.
SAME = {"examples/classics.pgn"}


def chapters(items):
    """All chapters, also those below others."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def query_of(kind, text):
    """The query of an example, if it is one that the playground answers as the command does."""
    if kind == "cql":
        return text
    if text.count("\n") != 1 and "\\\n" not in text:
        return None
    try:
        words = shlex.split(text.replace("\\\n", " "))
    except ValueError:
        return None
    if words[:2] != ["skewer", "search"]:
        return None
    query, rest = None, words[2:]
    while rest:
        word = rest.pop(0)
        if word == "-e" and rest and query is None:
            query = rest.pop(0)
        elif word == "-f" and rest:
            rest.pop(0)
        elif word not in SAME:
            return None
    return query


def main():
    _, book = json.load(sys.stdin)
    if PLAYGROUND.exists():
        for chapter in chapters(book["items"]):
            up = "../" * posixpath.dirname(chapter["path"]).count("/") + ("../" if "/" in chapter["path"] else "")

            def with_link(block, up=up):
                query = query_of(block[1], block[2])
                if query is None:
                    return block[0]
                return f"{block[0]}\n[Try it]({up}playground/index.html#q={quote(query.strip(), safe='')})\n"

            chapter["content"] = BLOCK.sub(with_link, chapter["content"])
    json.dump(book, sys.stdout)


if __name__ == "__main__" and "supports" not in sys.argv:
    main()
