"""The package and the archive: installed, used, upgraded, taken back and removed in a Debian that is not booted.

systemd does not run there, so this starts what the unit starts, as its user.
"""

import hashlib
import shutil
import sys
import urllib.parse

import login
from image import IMAGE, TOP, output
from login import Login, Provider, ProviderUser
from machine import InstallError, Machine

CONFIGURATION = "/etc/switchback/switchback.yaml"
STORE = "/var/lib/switchback"
SERVE = f"switchback serve --config {CONFIGURATION}"
SANDBOX = "switchback sandbox --listen 127.0.0.1:8080"
INIT = (f"switchback init /etc/switchback --broker oidc --provider idpyoidc --issuer https://id.example.com --client-id "
        f"{login.CLIENT} --client-secret-file /root/secret --app shop --public-url {login.SERVER}")
# How the service is told the secret, and that no proxy needs five seconds to notice its end.
SECRET = {f"SWITCHBACK_BROKERS__{login.BROKER.upper()}__CLIENT_SECRET_FILE": "/etc/switchback/broker.secret",
          "SWITCHBACK_DRAIN_DELAY": "0"}
# What stays after a purge: the user, whose number must not become another user's, and what tools of Debian remember.
STAYS = ("etc/passwd", "etc/group", "etc/shadow", "etc/gshadow", "etc/.pwd.lock", "var/lib/apt", "var/lib/dpkg",
         "var/lib/systemd", "var/cache", "var/log", "run", "tmp", "root", "etc/systemd", "etc/subuid", "etc/subgid")


def make(program, folder, version):
    """Packs a program: (the package, the archive)."""
    words = [TOP / "Deploy/package/build", program, folder, "--level", "0"] + (["--version", version] if version else [])
    output(sys.executable, *words)
    (package,), (archive,) = folder.glob("*.deb"), folder.glob("*.tar.gz")
    return package, archive


class Play:
    def __init__(self, kept, libraries, report, database, folder):
        self.kept, self.libraries, self.report, self.database, self.folder = kept, libraries, report, database, folder

    def machine(self, *files):
        """A new one, with these files in /root."""
        made = Machine(self.kept, self.libraries, self.report.command)
        for file in files:
            shutil.copy(file, made.file("/root"))
        made.file("/root/secret").write_text(login.SECRET + "\n")
        made.file("/root/secret").chmod(0o600)
        return made

    def sandbox_login(self, server):
        try:
            login.at_sandbox()
            server.end()
        finally:
            server.kill()

    def configure(self, machine, provider, more=""):
        """As the pages say, for the provider on loopback. `more` are lines of the configuration. Returns the variables that
        the server then needs: a version before `client_secret_file` has one for the file of the secret."""
        said = machine.run("switchback check", user="switchback", status=1)
        if "no configuration is named" not in said or "switchback init" not in said:
            raise InstallError(f"`check` without a configuration does not say what to do: {said}")
        machine.run(INIT)
        file = machine.file(CONFIGURATION)
        text = file.read_text().replace(
            'issuer: "https://id.example.com"', f'issuer: "{provider.issuer}"\n    allow_insecure_loopback: true')
        file.write_text(text + more)
        machine.run("chown -R switchback: /etc/switchback")
        if "client_secret_file" not in text:
            variables = {"SWITCHBACK_BROKERS__BROKER__CLIENT_SECRET_FILE": "/etc/switchback/broker.secret"}
            self.accepts(machine, variables)
            return variables
        secret = machine.file("/etc/switchback/broker.secret")
        secret.rename(f"{secret}.away")
        said = machine.run(f"switchback check --config {CONFIGURATION}", user="switchback", status=1)
        if "client_secret_file" not in said or "/etc/switchback/broker.secret" not in said:
            raise InstallError(f"`check` does not name the file of the client secret: {said}")
        secret.with_name("broker.secret.away").rename(secret)
        self.accepts(machine, {})
        return {}

    @staticmethod
    def accepts(machine, variables):
        said = machine.run(f"switchback check --config {CONFIGURATION}", user="switchback", variables=variables)
        if not said.splitlines()[-1].startswith("Ready: 0 errors"):
            raise InstallError(f"`check` refuses what `init` has written: {said}")

    def folder_of_store(self, machine):
        """What systemd does before it starts the service."""
        machine.run(f"install -d -o switchback -g switchback -m 0700 {STORE}", shown=False)

    def package(self, made):
        """Returns the configuration that it was used with."""
        package, _ = made
        machine, provider = self.machine(package), Provider(self.new_folder("package"))
        try:
            before = machine.listing()
            machine.run(f"apt-get install -y /root/{package.name}")
            self.check_files(machine, before)
            self.report.held("the package installs: each file is root's and nobody else may write it; the user "
                             "switchback has no shell and no password; systemd knows the units")
            self.sandbox_login(machine.start(SANDBOX))
            self.report.held("the package: a whole login in the sandbox")
            self.configure(machine, provider)
            self.report.held("`check` says how to begin, names the missing file of the secret, and accepts what `init` "
                             "writes")
            self.folder_of_store(machine)
            self.log_in_once(machine)
            self.report.held("the package: a whole login of `serve` at an OpenID provider")
            kept = self.folder / "configuration"
            shutil.copytree(machine.file("/etc/switchback"), kept)
            return kept
        finally:
            provider.end()
            machine.remove()

    def log_in_once(self, machine):
        server = machine.start(SERVE, variables=SECRET)
        try:
            login.at_provider()
            server.end()
        finally:
            server.kill()

    def check_files(self, machine, before):
        after = machine.listing()
        paths = machine.run("dpkg-query --listfiles switchback", shown=False).split()
        if "/usr/bin/switchback" not in paths:
            raise InstallError(f"the package has no program: {paths}")
        for path in paths[1:]:
            # /lib is a link.
            real = str(machine.file(path).parent.resolve().relative_to(machine.root)) + "/" + path.rsplit("/", 1)[1]
            owner, group, mode = after[real.removeprefix("./")].split()
            if (owner, group) != ("0", "0") or int(mode, 8) & 0o022 and not machine.file(path).is_symlink():
                raise InstallError(f"{path} has the owner {owner}:{group} and the mode {mode}")
        user = machine.run("getent passwd switchback", shown=False).strip().split(":")
        if user[6] != "/usr/sbin/nologin" or "!" not in machine.run("getent shadow switchback", shown=False).split(":")[1]:
            raise InstallError(f"the user can log in: {user}")
        owner, _, mode = after["etc/switchback"].split()
        if (owner, mode) != (user[2], "750"):
            raise InstallError(f"/etc/switchback has the owner {owner} and the mode {mode}")
        said = machine.run("systemd-analyze verify switchback.service switchback.socket", shown=False)
        if "switchback" in said:
            raise InstallError(f"systemd-analyze verify: {said}")
        if machine.run("dpkg-query --show --showformat='${Conffiles}' switchback", shown=False).strip():
            raise InstallError("the package has a configuration file, about which an upgrade would ask")
        self.installed = sorted(set(after) - set(before))

    def archive(self, made):
        _, archive = made
        machine = self.machine(archive)
        try:
            machine.run(f"tar -xzf /root/{archive.name} --strip-components=1 --no-overwrite-dir -C /")
            machine.run("systemd-sysusers switchback.conf")
            machine.run("systemd-tmpfiles --create switchback.conf")
            machine.run("switchback --version")
            self.sandbox_login(machine.start(SANDBOX))
            self.report.held("the archive: a whole login in the sandbox")
        finally:
            machine.remove()

    def image(self, made, configuration):
        made.its_archive_is_read_by_others()
        self.report.held("skopeo sees the image in the archive, as OCI has it and as `docker load` does")
        self.report.held(f"the image has no shell, and no file that nothing needs: {made.it_has_nothing_else()}")
        self.report.held(f"the image made twice has the same bytes: {made.its_size()}")
        self.report.held(made.it_says_its_version())
        sandbox = made.start("sandbox", SANDBOX.split()[1:], report=self.report.command)
        self.sandbox_login(sandbox)
        self.report.held("the image, as nobody with a read-only root: a whole login in the sandbox")
        provider = Provider(self.new_folder("image-provider"))
        volume = self.new_folder("volume")
        (user, group) = IMAGE["User"].split(":")
        shutil.chown(volume, int(user), int(group))
        made.may_read(configuration)
        file = configuration / "switchback.yaml"
        text = file.read_text()
        (line,) = [line for line in text.splitlines() if line.strip().startswith("issuer:")]
        file.write_text(text.replace(line, f'    issuer: "{provider.issuer}"'))
        server = made.start("serve", IMAGE["Cmd"], [(configuration, "/etc/switchback", True), (volume, STORE, False)],
                            SECRET, self.report.command)
        try:
            login.at_provider()
            health = ["nsenter", f"--target={server.pid()}", "--mount", "--pid", "--root",
                      *IMAGE["Healthcheck"]["Test"][1:]]
            output("env", *[f"{name}={value}" for name, value in
                            (pair.split("=", 1) for pair in IMAGE["Env"])], *health)
            server.end()
            if not list(volume.iterdir()):
                raise InstallError("the store is not in the volume")
        finally:
            server.kill()
            provider.end()
        self.report.held("the image, with its configuration read-only and one volume: a whole login of `serve`, and its "
                         "own health check")

    def upgrade(self, store, old, new):
        """Logins of each kind live through an upgrade, and through the way back."""
        machine, provider = self.machine(old[0], new[0]), Provider(self.new_folder(f"upgrade-{store}"))
        server = None
        try:
            machine.run(f"dpkg -i /root/{old[0].name}")
            variables = dict(SECRET)
            if store == "postgresql":
                name = self.database.new_database(f"upgrade-{store}")
                machine.bind(str(self.database.sockets), "/run/postgresql")
                url = f"postgresql://{{}}@/{urllib.parse.quote(name)}?host=/run/postgresql"
                variables |= {"SWITCHBACK_STORE": store, "SWITCHBACK_POSTGRESQL__URL": url.format("switchback")}
                owner = {"SWITCHBACK_STORE": store, "SWITCHBACK_POSTGRESQL__URL": url.format("switchback_owner")}
                machine.run("switchback migrate --grant switchback", user="switchback", variables=owner)
            variables |= self.configure(machine, provider)
            self.folder_of_store(machine)
            server = machine.start(SERVE, variables=variables)
            before = self.configuration(machine)
            for package, direction in ((new[0], "upgrade"), (old[0], "going back")):
                waiting, done = Login("eid", ProviderUser(), "shop"), Login("eid", ProviderUser(), "shop")
                done.approve()
                if store == "sqlite":
                    machine.run(f"cp -a {STORE} /root/copy", shown=False)
                # The new files replace those of a running program, as on any machine.
                said = machine.run(f"dpkg -i /root/{package.name}")
                server.end()
                if store == "postgresql" and direction == "upgrade":
                    machine.run("switchback migrate --grant switchback", user="switchback", variables=owner)
                server = machine.start(SERVE, variables=variables)
                if self.configuration(machine) != before:
                    raise InstallError(f"{direction} changes the configuration: {said}")
                done.has_its_result()
                done.acknowledge()
                waiting.approve()
                waiting.acknowledge()
                login.at_provider()
                self.report.held(f"{store}, {direction} to {package.name.split('_')[1]}: the configuration stays, nothing is "
                                 "asked, a login that waits for its user completes, and a result is still there")
            server.end()
        finally:
            if server:
                server.kill()
            provider.end()
            machine.remove()

    @staticmethod
    def configuration(machine):
        """Checksums, owners and modes of all that an operator has written."""
        found = {}
        for path in sorted(machine.file("/etc/switchback").rglob("*")):
            state = path.stat()
            found[path.name] = (state.st_uid, state.st_mode, state.st_mtime, hashlib.sha256(path.read_bytes()).hexdigest())
        return found

    def purge(self, old, new):
        machine, provider = self.machine(new[0]), Provider(self.new_folder("purge"))
        try:
            before = machine.listing()
            machine.run(f"dpkg -i /root/{new[0].name}")
            self.configure(machine, provider)
            self.folder_of_store(machine)
            self.log_in_once(machine)
            kept = self.configuration(machine)
            machine.run("apt-get remove -y switchback")
            if machine.file("/usr/bin/switchback").exists():
                raise InstallError("`apt-get remove` leaves the program")
            if self.configuration(machine) != kept or not machine.file(f"{STORE}/switchback.db").exists():
                raise InstallError("`apt-get remove` takes the configuration or the logins")
            self.report.held("`apt-get remove` takes the program, and leaves the configuration, the keys and the logins")
            machine.run("apt-get purge -y switchback")
            left = sorted(path for path in set(machine.listing()) - set(before) if not path.startswith(STAYS))
            if left:
                raise InstallError(f"`apt-get purge` leaves {left}")
            user = machine.run("getent passwd switchback", shown=False).strip()
            self.report.held(f"`apt-get purge` leaves only the user: {user}")
        finally:
            provider.end()
            machine.remove()

    def new_folder(self, name):
        (self.folder / name).mkdir()
        return self.folder / name

