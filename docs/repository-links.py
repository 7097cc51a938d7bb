"""A preprocessor of mdBook: links that lead out of the book go to the repository."""

import json
import posixpath
import re
import sys


def chapters(items):
    """All chapters, also those below others."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def main():
    context, book = json.load(sys.stdin)
    repository = context["config"]["output"]["html"]["git-repository-url"]
    for chapter in chapters(book["items"]):
        folder = posixpath.join("docs", posixpath.dirname(chapter["path"]))

        def address(link):
            path = posixpath.normpath(posixpath.join(folder, link[1]))
            return link[0] if path.startswith("docs/") else f"]({repository}/blob/main/{path})"

        chapter["content"] = re.sub(r"\]\((\.\./[^)]*)\)", address, chapter["content"])
    json.dump(book, sys.stdout)


if __name__ == "__main__" and "supports" not in sys.argv:
    main()
