"""Generates the client and checks the result."""

import os
import pathlib
import subprocess
import sys

PUBLIC = pathlib.Path(__file__).resolve().parents[2] / "Public"
# The generator has no type for these responses of the whole API, which no client parses: YAML and SVG.
EXPECTED_WARNINGS = [
    "WARNING parsing GET /openapi.yaml within files.", "WARNING parsing GET /openapi-app.yaml within files.",
    "WARNING parsing GET /favicon.ico within files.", "WARNING parsing GET /apple-touch-icon.png within files.",
    "WARNING parsing GET /apple-touch-icon-precomposed.png within files."]


def generate(folder):
    """Generates the package `generated` below `folder` from the file for apps, and nothing else that stays."""
    generate_from("openapi.yaml", pathlib.Path(folder) / "whole", EXPECTED_WARNINGS)
    generate_from("openapi-app.yaml", pathlib.Path(folder) / "generated", [])
    sys.path.insert(0, str(folder))


def generate_from(name, output, expected_warnings):
    tools = pathlib.Path(sys.executable).parent
    made = subprocess.run(
        [tools / "openapi-python-client", "generate", "--path", PUBLIC / name, "--meta", "none",
         "--output-path", output],
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    if made.returncode != 0:
        raise AssertionError(f"the generator failed at {name}:\n{made.stdout}")
    warnings = [line for line in made.stdout.splitlines() if line.startswith("WARNING")]
    assert warnings == expected_warnings, f"the generator warns about {warnings} in {name}"
    models = {path.stem for path in (output / "models").iterdir()}
    nexts = {model for model in models if model.startswith("next")}
    assert nexts == {"next_"}, f"next is not one class: {sorted(nexts)}"
    nameless = [model for model in models if "_type_" in model]
    assert not nameless, f"these have no name of their own: {nameless}"
