"""The first process of a container: makes its root, gives up all privileges, and becomes the program.

It runs in namespaces of its own for mounts, processes and the network, which end with it.
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def bind(source, target, is_read_only=True):
    target = pathlib.Path(target)
    if pathlib.Path(source).is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    mount("--bind", source, target)
    if is_read_only:
        mount("-o", "remount,bind,ro", target)


def make_root(pod):
    """The files of the image, over which an engine makes the places where it mounts something."""
    root = pathlib.Path(pod["root"])
    mount("--make-rprivate", "/")
    mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", root)
    for name in ("upper", "work", "root"):
        (root / name).mkdir()
    mount("-t", "overlay", "-o", f"lowerdir={pod['image']},upperdir={root}/upper,workdir={root}/work", "overlay",
          root / "root")
    root /= "root"
    for device in ("null", "urandom", "random"):
        bind(f"/dev/{device}", root / "dev" / device, is_read_only=False)
    for one in pod["mounts"]:
        bind(one["from"], root / one["to"].lstrip("/"), one["readOnly"])
    mount("-t", "proc", "proc", root / "proc")
    mount("-o", "remount,ro", root)
    return root


def main():
    pod = json.loads(pathlib.Path(sys.argv[1]).read_text())
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    root = make_root(pod)
    os.chroot(root)
    os.chdir("/")
    libc = ctypes.CDLL(None, use_errno=True)
    # PR_CAPBSET_DROP, for all that this kernel has.
    for capability in range(64):
        libc.prctl(24, capability, 0, 0, 0)
    os.setgroups(pod["groups"])
    os.setresgid(*[pod["group"]] * 3)
    os.setresuid(*[pod["user"]] * 3)
    # PR_SET_NO_NEW_PRIVS
    if libc.prctl(38, 1, 0, 0, 0):
        sys.exit("prctl: no_new_privs")
    os.execve("/usr/bin/switchback", ["switchback", *pod["arguments"]], pod["environment"])


if __name__ == "__main__":
    main()
