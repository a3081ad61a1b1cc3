"""The table of the generators: whether a client compiles, and how many responses of today and of later it reads."""

import collections
import json
import pathlib
import time

from document import answers, differences, examples, name_of_schema, schema_called
from future import later, today
from generators import GENERATORS

# Of one generator. `problems` are the responses that it does not read, each with the reason.
Row = collections.namedtuple("Row", "generator compiles today later problems seconds")


def rows(folder, recorded):
    """Yields the row of each generator. `recorded` are the responses of the sandbox."""
    groups = [[*recorded, *examples(), *today()], later()]
    unread = {name_of_schema(content) for _, _, content in answers()} - {one.schema for one in groups[0]}
    assert not unread, f"no response has the schema {unread}"
    for generator in GENERATORS:
        started = time.monotonic()
        try:
            generator.compile(folder)
        except Exception as error:
            yield Row(generator, False, (0, len(groups[0])), (0, len(groups[1])), [str(error)], 0)
            continue
        counts, problems = [], []
        for responses in groups:
            wrong = [f"{one.name}: {problem}" for one, written in zip(responses, generator.read(folder, responses))
                     if (problem := difference(one, written))]
            counts.append((len(responses) - len(wrong), len(responses)))
            problems += wrong
        yield Row(generator, True, *counts, problems, time.monotonic() - started)


def difference(response, written):
    """Returns what is wrong with what a client wrote, or None."""
    word, text = written
    if word != "ok":
        return " ".join(text.split())[:300]
    return next(differences(schema_called(response.schema), response.body, json.loads(text)), None)


def missing_from_page(found):
    """Yields the generators whose version the README does not have."""
    text = (pathlib.Path(__file__).resolve().parent / "README.md").read_text()
    for row in found:
        if f"| {row.generator.name} | {row.generator.version} |" not in text:
            yield f"README.md does not say that {row.generator.name} is {row.generator.version}"


def show(found):
    """Prints the table, and returns how many cells are right and wrong."""
    lines = [("generator", "version", "compiles", "today", "later", "seconds")]
    cells = []
    for row in found:
        cells += [row.compiles, row.today[0] == row.today[1], row.later[0] == row.later[1]]
        lines.append((row.generator.name, row.generator.version, "yes" if row.compiles else "NO",
                      "{} of {}".format(*row.today), "{} of {}".format(*row.later), f"{row.seconds:.0f}"))
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip())
    return cells.count(True), cells.count(False)
