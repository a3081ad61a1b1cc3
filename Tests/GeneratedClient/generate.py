"""Generates the client and checks the result."""

import os
import pathlib
import subprocess
import sys

FILE = pathlib.Path(__file__).resolve().parents[2] / "Public" / "openapi.yaml"
# The generator has no type for these responses, which no client parses: YAML and SVG.
EXPECTED_WARNINGS = [
    "WARNING parsing GET /openapi.yaml within files.", "WARNING parsing GET /favicon.ico within files.",
    "WARNING parsing GET /apple-touch-icon.png within files.",
    "WARNING parsing GET /apple-touch-icon-precomposed.png within files."]
SHAPES = {"open_browser", "open_app", "resume_browser", "show_browser", "enter_code", "wait", "unknown"}


def generate(folder):
    """Generates the package `generated` below `folder`."""
    tools = pathlib.Path(sys.executable).parent
    made = subprocess.run(
        [tools / "openapi-python-client", "generate", "--path", FILE, "--meta", "none",
         "--output-path", pathlib.Path(folder) / "generated"],
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    if made.returncode != 0:
        raise AssertionError(f"the generator failed:\n{made.stdout}")
    warnings = [line for line in made.stdout.splitlines() if line.startswith("WARNING")]
    assert warnings == EXPECTED_WARNINGS, f"the generator warns about {warnings}"
    models = {path.stem for path in (pathlib.Path(folder) / "generated" / "models").iterdir()}
    assert {f"next_{shape}" for shape in SHAPES} <= models, f"a shape of next has no name: {sorted(models)}"
    nameless = [name for name in models if "_type_" in name]
    assert not nameless, f"these have no name of their own: {nameless}"
    sys.path.insert(0, str(folder))
