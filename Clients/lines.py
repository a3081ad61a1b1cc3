"""Counts the lines of the blocks of a page that say how many they may have: `<!-- At most 25 lines. -->` above it."""

import re


def counted(text, language):
    """Yields how many lines each block has, and how many it may have. Imports, blank lines, comments and braces are
    none."""
    limits = re.findall(rf"^<!-- At most (\d+) lines\. -->\n\n```{language}\n(.*?)^```$", text, re.M | re.S)
    for limit, code in limits:
        lines = [line.strip() for line in code.splitlines()]
        yield sum(not re.fullmatch(r"[{}()]*|import .*|//.*", line) for line in lines), int(limit)


def check(page, language, say, failures):
    """Says how long the blocks of a page are, and adds what is wrong to `failures`."""
    text, name = page.read_text(encoding="utf-8"), page.name
    counts = list(counted(text, language))
    if not counts or len(counts) != text.count("<!-- At most "):
        failures.append(f"{name}: a limit for lines stands on no block")
    for count, limit in counts:
        if count > limit:
            failures.append(f"{name}: a block has {count} lines, and may have {limit}")
        say(f"a block of {count} lines, of at most {limit}")
