"""What processes use, from /proc: processor time, memory, descriptors."""

import os
import pathlib
import time

TICK = os.sysconf("SC_CLK_TCK")


def stat(pid):
    """The fields of /proc/PID/stat after the name, which may contain blanks."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def cpu_seconds(pid):
    """User and system time of a process, by its own clock (clock_getcpuclockid(3)), which /proc rounds."""
    return time.clock_gettime((~int(pid) << 3) | 2)


def tree_cpu_seconds(parent):
    """The time of a process and its children, those that have ended among them."""
    total = cpu_seconds(parent) + sum(map(int, stat(parent)[13:15])) / TICK
    for pid in children(parent):
        try:
            total += cpu_seconds(pid)
        except OSError:
            # It has just ended.
            pass
    return total


def children(parent):
    return pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()


def memory_bytes(pid):
    """The resident set. Pages of the program and its libraries, which processes share, are in it."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def kernel_bytes():
    """Memory of the kernel's own objects on this machine, sockets among them."""
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("Slab:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc/meminfo has no Slab")


def cores():
    return len(os.sched_getaffinity(0))


def machine():
    """The processor and its count, as the sheet names them."""
    model = next((line.split(": ")[1] for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), "an unknown processor")
    return f"{cores()} cores of {' '.join(model.split())}"


def load():
    return os.getloadavg()[0]
