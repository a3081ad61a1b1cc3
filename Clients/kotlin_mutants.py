"""The mutants of the reducers in Kotlin, by the operators of Clients/mutants, which imports this.

The reducers are compiled with all mutants, and take the place of those of the library, whose tests have the cases.
`MutantPlayer` turns one on after the other. A condition keeps what the compiler concludes from it, since `negated` has
a contract that says that it changes nothing.
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MAIN = HERE / "Kotlin" / "core" / "src" / "main" / "kotlin" / "dev" / "switchback"
FILES = [*sorted(MAIN.glob("reducer/LoginRe*.kt")), *sorted(MAIN.glob("reducer/SessionReducer*.kt"))]

SWITCH = """@file:OptIn(kotlin.contracts.ExperimentalContracts::class)

package dev.switchback

import kotlin.contracts.contract

@Volatile
public var chosenMutant: Int = -1

internal fun negated(number: Int, value: Boolean): Boolean {
    contract {
        returns(true) implies value
        returns(false) implies !value
    }
    return if (chosenMutant == number) !value else value
}
internal fun kept(number: Int): Boolean = chosenMutant != number
internal fun <Value> swapped(number: Int, value: Value, other: Value): Value =
    if (chosenMutant == number) other else value
internal fun <Value> dropped(number: Int, index: Int, list: List<Value>): List<Value> =
    if (chosenMutant == number) list.filterIndexed { at, _ -> at != index } else list
internal fun <Value> silenced(number: Int, list: List<Value>): List<Value> =
    if (chosenMutant == number) emptyList() else list
"""

# What a text becomes.
SWAPS = [
    (r"ShownState\.Paused\(login\)", "ShownState.InProgress(login, null)"),
    (r"ShownState\.InProgress\(login, [\w.]+\)", "ShownState.Paused(login)"),
    (r"ShownState\.Finished\(login\)", "ShownState.Paused(login)"),
    (r"(?<=Present\()ShownState\.Starting", "ShownState.Failed(LoginError.Gone, null)"),
    (r"Call\.ReportReturn\((?:null|link)\)", "Call.Cancel"),
    (r"(?<=listOf\()Call\.Create(?=\))", "Call.Poll"),
    (r"(?<=listOf\()Call\.Acknowledge(?=\))", "Call.Poll"),
    (r"(?<=enqueue\()Call\.Cancel", "Call.Acknowledge"),
    (r"(?<=\(mayPoll\) )Call\.Poll", "Call.Acknowledge"),
    (r"(?<=end\()LoginError\.NotStored", "LoginError.Abandoned"),
    (r"(?<=retry\()TransientError\.NoResponse", "TransientError.RateLimited"),
    (r"SessionException\.Kind\.(?:StepUpRequired|WrongLogin|NoBiometrics|NotBound|StorageFailed|NoPin|NotAllowed)",
     "SessionException.Kind.Cancelled"),
    (r"(?<=signOut\()SignOutReason\.(?:ByUser|KeyLost|Ended)", "SignOutReason.NeverSignedIn"),
    (r"(?<=complete\()SessionReply\.Done", "SessionReply.Failed(SessionException(SessionException.Kind.Cancelled))"),
    (r"(?<=return )true$|(?<== )true$|(?<=> )true$", "false"),
    (r"(?<=return )false$|(?<== )false$|(?<=> )false$", "true"),
]
EFFECTS = r"(?:LoginEffect|SessionEffect)\.\w+\("
# Functions that give no effects, or that are no functions.
OTHERS = ("listOf", "maxOf", "minOf", "if", "when", "emptyList", "listOfNotNull", "mapOf", "return", "catch", "while",
          "for")


def builder():
    loader = importlib.machinery.SourceFileLoader("kotlin_build", str(HERE / "Kotlin" / "build"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("kotlin_build", loader))
    loader.exec_module(module)
    return module


# --- the operators ---------------------------------------------------------------------------------------------------


def conditions(text, shared):
    for found in re.finditer(r"(?<![\w.])(?:else )?if \(", text):
        end = shared.closing(text, found.end() - 1)
        yield found.end(), end - 1
    # A property or function that is one expression, and what a function returns.
    for found in re.finditer(r": Boolean (?:get\(\) )?= ?((?!when\b|if\b)[^\n{]+)$", text, re.M):
        yield found.span(1)
    for found in re.finditer(r"^ +return ([^\n]+ (?:&&|\|\||==|!=|<=?|in|is) [^\n]+)$", text, re.M):
        if not re.match(r"if\b|when\b", found[1]) and balanced(found[1]):
            yield found.span(1)
    for found in re.finditer(r"^ +val (?:is|has|may|wants)\w+ = ((?!when\b|if\b)[^\n]+)$", text, re.M):
        if balanced(found[1]):
            yield found.span(1)


def effects(text, shared):
    """The elements of lists of effects: the list's range, and the index."""
    for found in re.finditer(rf"(?<![\w.])listOf\((?=\s*{EFFECTS})", text):
        end = shared.closing(text, found.end() - 1)
        for index, one in enumerate(shared.parts(text, found.end(), end - 1)):
            if text[slice(*one)].strip():
                yield found.start(), end, index


def calls(text, shared):
    """What a function returns, where it is joined with other effects."""
    for found in re.finditer(r"(?<![\w.])(?:reducer\.)?([a-z]\w*)(?=\()", text):
        if found[1] in OTHERS or re.search(r"fun (?:\w+\.)?$", text[:found.start()]):
            continue
        end = shared.closing(text, found.end())
        if re.match(r" \+ (?!minOf|maxOf)", text[end:]) or re.search(r"[\w)] \+ $", text[:found.start()]):
            yield found.start(), end


def balanced(line):
    return all(line.count(pair[0]) == line.count(pair[1]) for pair in ("()", "{}", "[]"))


def statements(text):
    change = r"[a-z]\w*(?:(?:\?|!!)?\.\w+)* [-+]?= [^\n]+"
    call = r"(?:reducer\.)?(?:claim|markOpened|complete|pace|scheduleRepetition)\([^\n]*\)"
    added = r"[a-z]\w*(?:\.\w+)*\.(?:add|remove\w*|clear|put)\([^\n]*\)"
    for found in re.finditer(rf"^ +(?:if \([^\n]*?\) )?((?:{change})|(?:{call})|(?:{added}))$", text, re.M):
        if balanced(found[1]) and not re.match(r"(?:val|var|if|return|else|when|is)\b", found[1]):
            yield found.span(1)


def mutants(file, text, shared):
    code, Mutant = shared.outside_comments(text), shared.Mutant
    made = [Mutant(file, *span, "negate", "negated({}, ", ")") for span in conditions(code, shared)]
    made += [Mutant(file, start, end, "drop", f"dropped({{}}, {index}, ", ")")
             for start, end, index in effects(code, shared)]
    made += [Mutant(file, *span, "drop", "silenced({}, ", ")") for span in calls(code, shared)]
    made += [Mutant(file, *span, "stale", "if (kept({})) {{ ", " }}") for span in statements(code)]
    for pattern, other in SWAPS:
        for found in re.finditer(pattern, code, re.M):
            line = code[code.rfind("\n", 0, found.start()) + 1:found.start()]
            if not re.search(r"\b(?:val|var) \w+(?:: \w+)? = $|\bis $", line):
                made.append(Mutant(file, *found.span(), "swap", "swapped({}, ", f", {other})"))
    return made


# --- building and playing --------------------------------------------------------------------------------------------


def compiled(build, tools):
    """The classes of the library and of its tests."""
    module = build.Module("core", tools)
    module.build()
    module.build_tests()
    return [module.classes, module.tests]


def build(folder, texts, made, shared):
    """Builds all mutants. Those on a line that does not compile are left out."""
    build = builder()
    tools = build.Tools()
    classes = compiled(build, tools)
    (folder / "Mutants.kt").write_text(SWITCH)
    flags = [flag for flag in build.FLAGS if flag != "-Werror"]
    for _ in range(12):
        lines = {}
        for file, text in texts.items():
            own = [one for one in made if one.file == file]
            (folder / file.name).write_text(shared.with_mutants(text, own))
            for one in own:
                lines.setdefault((file.name, text.count("\n", 0, one.start) + 1), []).append(one)
        sources = [folder / "Mutants.kt", *(folder / file.name for file in texts)]
        (folder / "sources").write_text("\n".join(f'"{source}"' for source in sources))
        friends = f"-Xfriend-paths={','.join(map(str, classes))}"
        result = tools.run([*flags, "-nowarn", "-module-name", "switchback-core", friends],
                           [*classes, *tools.libraries], folder / "classes", folder / "sources")
        if result.returncode == 0:
            # The reducers with mutants come first.
            path = [folder / "classes", *classes, *tools.libraries]
            return made, os.pathsep.join(map(str, path)), build.JVM
        wrong = set(re.findall(r"/(\w+\.kt):(\d+):\d+: error:", result.stdout + result.stderr))
        bad = {one for name, line in wrong for one in lines.get((name, int(line)), [])}
        if not bad:
            sys.exit(f"The mutants do not compile:\n{(result.stdout + result.stderr)[-4000:]}")
        made = [one for one in made if one not in bad]
    sys.exit("The mutants do not compile after twelve attempts")


def play(classpath, jvm, chosen, say=lambda one, survives: None):
    """Whether each mutant survives, by its number, and says so when it is known. The number -1 is none."""
    left = {one.number: one for one in chosen}
    survives = {}
    while left:
        words = "".join(f"{one.number} {'session' if one.file.name.startswith('Session') else 'login'}\n"
                        for one in left.values())
        java = ["java", *jvm, f"-Dswitchback.top={HERE.parent}", "-cp", classpath, "dev.switchback.MutantPlayer"]
        before = len(left)
        with tempfile.TemporaryFile("w+") as numbers:
            numbers.write(words)
            numbers.seek(0)
            player = subprocess.Popen(java, stdin=numbers, stdout=subprocess.PIPE, text=True)
            for row in player.stdout:
                if found := re.fullmatch(r"(-?\d+) (survives|dies)\n", row):
                    one = left.pop(int(found[1]))
                    survives[one.number] = found[2] == "survives"
                    say(one, survives[one.number])
            player.wait()
        # One that hangs ends the program.
        if len(left) == before:
            sys.exit("The cases cannot be played")
    return survives
