"""A PostgreSQL of its own on a Unix socket, with the two roles of docs/how-to/postgresql.md."""

import os
import pathlib
import pwd
import subprocess

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")


class Cluster:
    def __init__(self, folder):
        self.data, self.sockets = folder / "data", folder / "sockets"
        os.chmod(folder, 0o755)

    def as_postgres(self, *command):
        user = pwd.getpwnam("postgres")
        return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True,
                              user=user.pw_uid, group=user.pw_gid, extra_groups=[], cwd="/", env={"PATH": "/usr/bin"})

    def sql(self, text, database="postgres"):
        return self.as_postgres(PROGRAMS / "psql", "-h", self.sockets, "-d", database, "-qAtc", text).stdout

    def __enter__(self):
        user = pwd.getpwnam("postgres")
        for path in (self.data, self.sockets):
            path.mkdir()
            os.chown(path, user.pw_uid, user.pw_gid)
            os.chmod(path, 0o755 if path == self.sockets else 0o700)
        self.as_postgres(PROGRAMS / "initdb", "-D", self.data, "--auth", "trust", "--no-sync")
        self.as_postgres(PROGRAMS / "pg_ctl", "-D", self.data, "-w", "-l", self.data / "log", "-o",
                         f"-c listen_addresses='' -c unix_socket_directories={self.sockets} -c fsync=off", "start")
        self.sql("CREATE ROLE switchback_owner LOGIN")
        self.sql("CREATE ROLE switchback LOGIN")
        return self

    def __exit__(self, *_):
        self.as_postgres(PROGRAMS / "pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def new_database(self, name):
        self.sql(f'CREATE DATABASE "{name}" OWNER switchback_owner')
        return name
