"""Renders the chart, and compares it with an overlay."""

import copy
import difflib
import os
import subprocess
import sys
import tempfile

import yaml

# What Helm adds, and kustomize does not.
ADDED = ("app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "helm.sh/chart", "helm.sh/hook",
         "helm.sh/hook-delete-policy", "helm.sh/resource-policy")


class Renderer:
    """The program of `chart-renderer`, compiled with Debian's Go and sprig."""

    def __init__(self, here, out):
        self.folder, self.program = here / "chart", out / "chart-renderer"
        out.mkdir(parents=True, exist_ok=True)
        variables = os.environ | {
            "CGO_ENABLED": "0", "GO111MODULE": "off", "GOFLAGS": "", "GOPATH": "/usr/share/gocode",
            "GOCACHE": str(out.parent / "go-cache")}
        done = subprocess.run(["go", "build", "-o", str(self.program), "main.go"], cwd=here / "chart-renderer",
                              env=variables, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"The renderer of the chart does not compile:\n{done.stderr}")

    def run(self, *values):
        command = [self.program, self.folder, "switchback", "default", *values]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)

    def render(self, example):
        done = self.run(self.folder / "examples" / f"{example}.yaml")
        if done.returncode:
            sys.exit(f"{example}: {done.stderr.strip()}")
        return done.stdout


# Values, and what the chart must say about them.
MISTAKES = (
    ("replicas: 3", "configuration: the text of switchback.yaml is missing"),
    ("configuration: {store: postgresql}", "migrate.url: the URL with the role that owns the schema is missing"),
    ("configuration: x\nreplica: 3", "the chart has no value replica"),
    ("configuration: x\nimage: {tags: x}", "the chart has no value image.tags"),
)


def check_mistakes(renderer):
    for values, words in MISTAKES:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(values)
            file.flush()
            done = renderer.run(file.name)
        if done.returncode == 0 or words not in done.stderr:
            sys.exit(f"The chart says about {values!r}: {done.stderr or 'nothing'}, and not {words!r}")


def normal(objects):
    """The objects by kind and name, without what only one of the two tools adds, and without an order of its own."""
    result = {}
    for one in copy.deepcopy(objects):
        meta = one["metadata"]
        meta.pop("annotations", None)
        for labels in all_labels(one):
            for name in ADDED:
                labels.pop(name, None)
        if one["kind"] == "ConfigMap":
            one["data"] = {name: yaml.load(text, yaml.BaseLoader) for name, text in one["data"].items()}
        pod = one.get("spec", {}).get("template", {}).get("spec", {})
        for container in pod.get("containers", []):
            container.setdefault("imagePullPolicy", "IfNotPresent")
            for members in ("env", "volumeMounts"):
                container[members] = sorted(container[members], key=lambda member: member["name"])
        if "volumes" in pod:
            pod["volumes"] = sorted(pod["volumes"], key=lambda volume: volume["name"])
        result[f"{one['kind']} {meta['name']}"] = one
    return result


def all_labels(value):
    """Every map of labels in an object, also those of selectors."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("labels", "matchLabels", "selector") and isinstance(inner, dict):
                yield inner
            yield from all_labels(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from all_labels(inner)


def difference(objects, others):
    one, other = normal(objects), normal(others)
    texts = [yaml.safe_dump(value, sort_keys=True).splitlines() for value in (one, other)]
    return "\n".join(difflib.unified_diff(*texts, "kustomize", "chart", lineterm="", n=6))
