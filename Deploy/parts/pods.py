"""Runs the containers of a rendered manifest as Kubernetes would, without Kubernetes."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "image"))

import dockerfile

# What the image says by itself.
IMAGE = dockerfile.configuration(HERE.parents[1] / "Dockerfile", {"CREATED": "", "SOURCE": ""})
VARIABLES = dict(pair.split("=", 1) for pair in IMAGE["Env"])
USER = int(IMAGE["User"].split(":")[0])
# How long this waits for what must come, on a machine that is busy.
PATIENCE = 120


class Pod:
    """One container of a manifest, under way."""

    def __init__(self, folder, spec, image, files, extra=(), variables=None):
        (container,) = spec["containers"]
        security = spec["securityContext"] | container["securityContext"]
        volumes = {volume["name"]: volume for volume in spec["volumes"]}
        self.folder, self.files = folder, files
        mounts = [self.mount(volumes[mount["name"]], mount, security) for mount in container["volumeMounts"]]
        (folder / "pod.json").write_text(json.dumps({
            "root": str(folder / "root"), "image": str(image), "arguments": container.get("args", IMAGE["Cmd"]),
            "environment": VARIABLES | {one["name"]: one["value"] for one in container["env"]} | (variables or {}),
            "user": security["runAsUser"], "group": security["runAsGroup"], "groups": [security["fsGroup"]],
            "mounts": mounts + [{"from": one, "to": to, "readOnly": False} for one, to in extra],
        }))
        (folder / "root").mkdir()
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", sys.executable, HERE / "container.py",
             folder / "pod.json"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)

    def mount(self, volume, mount, security):
        """Makes the folder of a volume: files with the owner and the mode that the kubelet gives them."""
        path = self.folder / "volumes" / volume["name"]
        path.mkdir(parents=True)
        os.chown(path, 0, security["fsGroup"])
        os.chmod(path, 0o2770)
        kind = next(name for name in volume if name != "name")
        if kind in ("configMap", "secret"):
            source = volume[kind]
            name = source.get("name") or source["secretName"]
            if (kind, name) not in self.files:
                sys.exit(f"The manifest mounts {kind} {name}, which nothing makes")
            os.chmod(path, 0o2755)
            self.write(path, self.files[kind, name], source.get("defaultMode", 0o644), security["fsGroup"])
        return {"from": str(path), "to": mount["mountPath"], "readOnly": mount.get("readOnly", False)}

    @staticmethod
    def write(path, files, mode, group):
        """As the kubelet does: a new folder, and one symbolic link that is replaced at once."""
        data = pathlib.Path(tempfile.mkdtemp(prefix="..", dir=path))
        os.chmod(data, 0o755)
        for name, content in files.items():
            (data / name).write_bytes(content if isinstance(content, bytes) else content.encode())
            os.chown(data / name, 0, group)
            os.chmod(data / name, mode)
        link = path / "..new"
        link.symlink_to(data.name)
        link.rename(path / "..data")
        for name in files:
            if not (path / name).is_symlink():
                (path / name).symlink_to(f"..data/{name}")

    def text(self):
        return (self.folder / "log").read_text(errors="replace")

    def fail(self, words):
        sys.exit(f"{words}\n{self.text()[-6000:]}")

    def pid(self):
        """The process whose id is 1 in the container."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0]) if children else None

    def ask(self, *arguments, background=False):
        """curl, in the container's network."""
        # The longest answer is that of a poll which waits a minute.
        command = ["nsenter", "--target", str(self.pid()), "--net", "curl", "-sk", "--max-time", "90", "-w",
                   "\n%{http_code}", *arguments]
        if background:
            return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        body, _, status = done.stdout.rpartition("\n")
        return int(status or 0), body

    def wait_until(self, condition, words):
        end = time.monotonic() + PATIENCE
        while not condition():
            if self.process.poll() is not None:
                self.fail(f"{words}: the container has ended with {self.process.returncode}")
            if time.monotonic() > end:
                self.fail(f"{words}: not in {PATIENCE} seconds")
            time.sleep(0.1)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()


def play(overlay, objects, program, image, database):
    """Returns what was done and held."""
    rows = []
    by_kind = {}
    for one in objects:
        by_kind.setdefault(one["kind"], []).append(one)
    files = {("configMap", one["metadata"]["name"]): one["data"] for one in by_kind["ConfigMap"]}
    files |= {("secret", name): content for name, content in secrets(program).items()}
    with tempfile.TemporaryDirectory(prefix="switchback-pod-") as folder:
        base = pathlib.Path(folder)
        os.chmod(base, 0o755)
        extra, variables = [], {}
        if jobs := by_kind.get("Job"):
            name = database.new_database(overlay)
            # Instead of db.example.com.
            extra = [(str(database.sockets), "/run/postgresql")]
            url = f"postgresql://{{}}@/{name}?host=/run/postgresql"
            variables = {"SWITCHBACK_POSTGRESQL__URL": url.format("switchback")}
            pod = Pod(folder_of(base, "job"), jobs[0]["spec"]["template"]["spec"], image, files, extra,
                      {"SWITCHBACK_POSTGRESQL__URL": url.format("switchback_owner")})
            try:
                if pod.process.wait(PATIENCE):
                    pod.fail(f"{overlay}: the Job ended with {pod.process.returncode}")
            finally:
                pod.end()
            rows.append("the Job has migrated")
        (deployment,) = by_kind["Deployment"]
        spec = deployment["spec"]["template"]["spec"]
        pod = Pod(folder_of(base, "server"), spec, image, files, extra, variables)
        try:
            rows += serve(pod, spec, overlay)
        finally:
            pod.end()
    return rows


def play_compose(file, configuration, program, image, database):
    """The service `switchback` of compose.yaml. Its folder `config` has the keys, which only the image's group reads."""
    service = yaml.safe_load(file.read_text(encoding="utf-8"))["services"]["switchback"]
    if (service["read_only"], service["cap_drop"], service["security_opt"]) != (
            True, ["ALL"], ["no-new-privileges:true"]):
        sys.exit("compose.yaml: the root is writable, or there are privileges")
    made = secrets(program)["switchback"]
    source, target, mode = service["volumes"][0].split(":")
    files = {
        ("secret", source): {"switchback.yaml": configuration} | {
            name: made[name] for name in ("server.key", "assertion.pem")},
        ("secret", "secrets"): {name: made[name] for name in service["secrets"]},
    }
    seconds = int(service["stop_grace_period"].removesuffix("s"))
    probe = {"periodSeconds": 5}
    spec = {
        "terminationGracePeriodSeconds": seconds,
        "securityContext": {"runAsUser": USER, "runAsGroup": USER, "fsGroup": USER},
        "volumes": [{"name": "configuration", "secret": {"secretName": source, "defaultMode": 0o440}},
                    {"name": "secrets", "secret": {"secretName": "secrets", "defaultMode": 0o440}}],
        "containers": [{
            "args": service.get("command", ["serve"]), "securityContext": {},
            "env": [{"name": name, "value": value} for name, value in service["environment"].items()],
            "ports": [{"name": "http", "containerPort": int(service["ports"][0].split(":")[-1])},
                      {"name": "operations", "containerPort": 8082}],
            "livenessProbe": probe | {"httpGet": {"path": "/livez", "port": "operations"}},
            "readinessProbe": probe | {"httpGet": {"path": "/readyz", "port": "operations"}},
            "volumeMounts": [{"name": "configuration", "mountPath": target, "readOnly": mode == "ro"},
                             {"name": "secrets", "mountPath": "/run/secrets", "readOnly": True}],
        }],
    }
    name = database.new_database("compose")
    url = f"postgresql://switchback_owner@/{name}?host=/run/postgresql"
    with tempfile.TemporaryDirectory(prefix="switchback-pod-") as folder:
        base = pathlib.Path(folder)
        os.chmod(base, 0o755)
        pod = Pod(folder_of(base, "server"), spec, image, files, [(str(database.sockets), "/run/postgresql")],
                  {"SWITCHBACK_POSTGRESQL__URL": url})
        try:
            return serve(pod, spec, "compose.yaml")
        finally:
            pod.end()


def serve(pod, spec, overlay):
    (container,) = spec["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    pod.wait_until(lambda: pod.pid() and b"switchback" in pathlib.Path(f"/proc/{pod.pid()}/cmdline").read_bytes(),
                   "the program's start")
    for name in ("livenessProbe", "readinessProbe"):
        probe = container[name]["httpGet"]
        url = f"http://127.0.0.1:{ports[probe['port']]}{probe['path']}"
        pod.wait_until(lambda url=url: pod.ask(url)[0] == 200, f"{overlay}: {name}")
    rows = ["both probes answer 200"]

    status = pathlib.Path(f"/proc/{pod.pid()}/status").read_text()
    found = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    expected = {"Uid": str(USER), "Gid": str(USER), "CapEff": "0" * 16, "CapBnd": "0" * 16, "NoNewPrivs": "1"}
    for name, value in expected.items():
        if found[name].split()[0] != value:
            pod.fail(f"{overlay}: {name} is {found[name]}")
    rows.append(f"uid {USER} has no privileges")

    is_tls = any(one["name"] == "SWITCHBACK_TLS__KEY" for one in container["env"])
    address = f"http{'s' if is_tls else ''}://127.0.0.1:{ports['http']}"
    body = json.dumps({"provider": "vipps", "app": "shop", "platform": "ios", "poll_secret": "A" * 43})
    code, text = pod.ask(f"{address}/v1/logins", "-d", body, "-H", "Content-Type: application/json")
    if code != 201:
        pod.fail(f"{overlay}: a create is answered with {code}: {text}")
    login = json.loads(text)
    rows.append("a login begins")

    # The kubelet changes files by one symbolic link.
    configuration = pod.folder / "volumes" / "configuration"
    files = {file.name: file.read_bytes() for file in configuration.glob("[!.]*")}
    files["switchback.yaml"] = files["switchback.yaml"].replace(b"name: Shop", b"name: New shop")
    pod.write(configuration, files, (configuration / "switchback.yaml").stat().st_mode & 0o777, USER)
    pod.wait_until(lambda: "configuration_reloaded" in pod.text(), f"{overlay}: the changed ConfigMap")
    rows.append("a changed ConfigMap is read")

    poll = pod.ask(f"{address}/v1/logins/{login['id']}", "-H", f"Authorization: Bearer {'A' * 43}", "-H",
                   "Prefer: wait=60", "-H", f'If-None-Match: W/"{login["version"]}"', background=True)
    metrics = f"http://127.0.0.1:{ports['operations']}/metrics"
    pod.wait_until(lambda: "\nswitchback_held_polls 1\n" in pod.ask(metrics)[1], f"{overlay}: the long poll")
    os.kill(pod.pid(), signal.SIGTERM)
    answer = poll.communicate(timeout=PATIENCE)[0].rpartition("\n")[2]
    try:
        pod.process.wait(spec["terminationGracePeriodSeconds"])
    except subprocess.TimeoutExpired:
        pod.fail(f"{overlay}: it runs on after {spec['terminationGracePeriodSeconds']} s")
    if answer not in ("200", "304") or pod.process.returncode:
        pod.fail(f"{overlay}: SIGTERM answers the poll with {answer}, and ends with {pod.process.returncode}")
    return rows + ["SIGTERM answers the poll and ends in time"]


def folder_of(base, name):
    (base / name).mkdir()
    return base / name


def secrets(program):
    """What docs/how-to/kubernetes.md puts into the Secrets, made by the program and by openssl."""
    with tempfile.TemporaryDirectory() as folder:
        def made(*command):
            subprocess.run([str(word) for word in command], cwd=folder, check=True, capture_output=True)
            return lambda name: (pathlib.Path(folder) / name).read_bytes()

        read = made(program, "init", f"{folder}/init", "--broker", "vipps", "--client-id", "x", "--app", "shop",
                    "--public-url", "https://login.example.com")
        made("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=login.example.com", "-addext", "subjectAltName=DNS:login.example.com", "-keyout", "tls.key",
             "-out", "tls.crt")
        return {
            "switchback": {
                "server.key": read("init/server.key"), "assertion.pem": read("init/assertion.pem"),
                "vipps.secret": "not-a-real-secret", "db-password": "not-a-real-password"},
            "switchback-owner": {"password": "not-a-real-password"},
            "switchback-tls": {"tls.crt": read("tls.crt"), "tls.key": read("tls.key")},
            "switchback-db-ca": {"ca.pem": read("tls.crt")},
        }
