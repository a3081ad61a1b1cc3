"""A Prometheus on loopback, and what it is asked."""

import json
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

import yaml

from server import OPENER, PATIENCE, free_port

# A minute of the rules lasts this many seconds in a play. It is scraped twice, and each scrape has half of it, so a
# machine that was too busy for one plays again with the next.
MINUTES = (2, 4, 8)
UNITS = {"s": 1 / 60, "m": 1, "h": 60, "d": 1440}
# What histograms add to the name of a metric.
SUFFIX = "(_bucket|_sum|_count)?"


def played(text, minute):
    """The rules with shorter times. Everything else stays as it is."""
    def shorter(found):
        return f"{found[1]}{max(1, round(int(found[2]) * UNITS[found[3]] * minute))}s"

    return re.sub(r"(\[|offset |for: )(\d+)([smhd])\b", shorter, text)


class Prometheus:
    """`targets` are operations ports by job. `renamed` is a metric that gets another name in all of them."""

    def __init__(self, targets, minute, rules=None, renamed=None):
        self.minute = minute
        self.folder, self.port = tempfile.TemporaryDirectory(prefix="switchback-prometheus-"), free_port()
        path = pathlib.Path(self.folder.name)
        relabel = [{"source_labels": ["__name__"], "regex": f"{renamed}{SUFFIX}", "target_label": "__name__",
                    "replacement": "renamed$1"}] if renamed else []
        if rules:
            (path / "rules.yaml").write_text(played(rules, minute))
        (path / "prometheus.yaml").write_text(yaml.safe_dump({
            "global": dict.fromkeys(("scrape_interval", "scrape_timeout", "evaluation_interval"), f"{minute // 2}s"),
            "rule_files": [str(path / "rules.yaml")] if rules else [],
            "scrape_configs": [
                {"job_name": job, "metric_relabel_configs": relabel,
                 "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]} for job, port in targets.items()]}))
        self.log = open(path / "log", "wb")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={path}/prometheus.yaml", f"--storage.tsdb.path={path}/data",
             f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.started, self.ended = time.time(), None
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                OPENER.open(f"http://127.0.0.1:{self.port}/-/ready", timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError((path / "log").read_text())

    def ask(self, path, **words):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(words)}"
        with OPENER.open(url, timeout=PATIENCE) as answer:
            return json.load(answer)["data"]

    def series(self, expression):
        """The series of a query of the board of the whole play: labels and numbers."""
        shown = {"$__rate_interval": f"{5 * self.minute}s", "[1h]": f"[{60 * self.minute}s]", "$job": ".*",
                 "$provider": ".*"}
        for word, value in shown.items():
            expression = expression.replace(word, value)
        found = self.ask("query_range", query=expression, start=self.started, end=self.ended, step=1)["result"]
        return [(one["metric"], [float(value) for _, value in one["values"]]) for one in found]

    def unscraped(self):
        """The jobs with a scrape that did not succeed."""
        return {labels["job"] for labels, values in self.series("up") if 0 in values}

    def is_over(self):
        """What comes now is not part of the play."""
        self.ended = time.time()

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.log.close()
        self.folder.cleanup()


def names(expression):
    """The metrics that an expression names, without what histograms add."""
    found = set(re.findall(r"\b(?:switchback|process)_[a-z_]+", expression))
    return {re.sub("(_bucket|_sum|_count)$", "", name) for name in found}
