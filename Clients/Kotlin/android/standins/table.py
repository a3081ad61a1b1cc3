"""Reads table.txt."""

import re


class Row:
    """What the table says about one class."""

    def __init__(self, kind=None):
        self.kind, self.sets, self.types, self.values, self.keeps = kind, {}, {}, {}, set()

    def names(self, what):
        return self.sets.get(what, set())

    def all_names(self):
        return set().union(*self.sets.values(), self.types, self.values) - {"<init>"}

    def type_of(self, name):
        return self.types.get(name)

    def value(self, name):
        return self.values.get(name)

    def is_variable(self, name):
        return name in self.names("variable")


class Table:
    SETS = ("protected", "public", "abstract", "default", "final", "null", "notnull", "takesnull", "takesnonull", "variable")

    def __init__(self, file):
        self.classes, row = {}, None
        for number, line in enumerate(file.read_text().splitlines(), 1):
            line = re.sub(r"(^|\s)#.*", "", line).rstrip()
            if not line:
                continue
            what, *names = line.split(maxsplit=1)
            words = names[0].split() if names else []
            if not line.startswith(" "):
                row = self.classes[words[0]] = Row(what)
                if what not in ("class", "interface", "abstract", "enum") or len(words) != 1:
                    raise SystemExit(f"table.txt:{number}: {line}")
            elif what in self.SETS:
                row.sets.setdefault(what, set()).update(words)
            elif what == "type":
                row.types.update({name: words[0] for name in words[1:]})
            elif what == "value":
                row.values[words[0]] = names[0].split(maxsplit=1)[1]
            elif what == "keeps":
                row.keeps.update(words)
            else:
                raise SystemExit(f"table.txt:{number}: {line}")

    def row(self, name):
        return self.classes.get(name) or Row()

    def kind(self, name):
        return self.row(name).kind

    def keeps(self, name, supertype):
        return supertype in self.row(name).keeps
