"""A PostgreSQL of its own on a free port of loopback, with the defaults that make commits durable."""

import contextlib
import os
import pathlib
import pwd
import subprocess
import tempfile

from server import free_port

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")


class Cluster:
    def __init__(self, *settings):
        self.folder = tempfile.TemporaryDirectory(prefix="switchback-postgres-")
        self.path, self.port = pathlib.Path(self.folder.name), free_port()
        self.settings = "".join(f" -c {setting}" for setting in settings)
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None

    def run(self, *command):
        """As the user postgres, if this is root."""
        own = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, cwd="/",
                              env={"PATH": "/usr/bin:/bin"}, **own).stdout

    def sql(self, text, database="postgres"):
        return self.run(PROGRAMS / "psql", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "-d", database, "-qAtc",
                        text).strip()

    @contextlib.contextmanager
    def setting(self, name, value):
        """The whole cluster runs with this setting for a while."""
        self.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.sql("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            self.sql(f"ALTER SYSTEM RESET {name}")
            self.sql("SELECT pg_reload_conf()")

    def __enter__(self):
        if self.user:
            os.chown(self.path, self.user.pw_uid, self.user.pw_gid)
        self.run(PROGRAMS / "initdb", "-D", self.path / "data", "-U", "postgres", "--auth", "trust", "--no-sync")
        self.start()
        return self

    def start(self):
        self.run(PROGRAMS / "pg_ctl", "-D", self.path / "data", "-w", "-l", self.path / "log", "-o",
                 f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''{self.settings}", "start")

    def stop(self):
        self.run(PROGRAMS / "pg_ctl", "-D", self.path / "data", "-m", "immediate", "stop")

    def __exit__(self, *_):
        if (self.path / "data" / "postmaster.pid").exists():
            self.stop()
        self.folder.cleanup()

    @property
    def postmaster(self):
        return int((self.path / "data" / "postmaster.pid").read_text().split("\n")[0])

    def new_database(self, name):
        self.sql(f'CREATE DATABASE "{name}"')
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"
