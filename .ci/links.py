"""Checks that the links inside a folder of web pages lead somewhere: python3 .ci/links.py FOLDER"""

import html
import re
import sys
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
pages = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
anchors = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
broken = []
links = 0
for page, text in pages.items():
    # These have the text of other pages: all of it in one, and links that a script completes.
    if page.name in ("404.html", "print.html", "toc.html"):
        continue
    for link in re.findall(r'\b(?:href|src)="([^"]+)"', text):
        path, _, anchor = html.unescape(link).partition("#")
        if re.match(r"\w+:", path):
            continue
        links += 1
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or anchor and anchor not in anchors.get(target, {anchor}):
            broken.append(f"{page.relative_to(folder)}: {link}")
if broken:
    sys.exit("broken links in the book:\n" + "\n".join(broken))
print(f"the book has {len(pages)} pages and {links} links")
