"""Copies what the site is made of into an empty directory: the pages, the README, and the files that they link to."""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def pages():
    yield from (ROOT / name for name in ("README.md", "CHANGELOG.md", "LICENSE"))
    for page in (ROOT / "docs").rglob("*.md"):
        if not {"target", "src"} & set(page.relative_to(ROOT).parts):
            yield page


def linked(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        file = (page.parent / target).resolve()
        if "://" not in target and file.is_file() and file.is_relative_to(ROOT):
            yield file


def main(destination):
    shutil.rmtree(destination, ignore_errors=True)
    sources = set(pages())
    for page in list(sources):
        sources.update(linked(page))
    for source in sorted(sources):
        copy = destination / source.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
