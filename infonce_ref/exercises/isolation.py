"""Limits that the operating system puts on a learner's file, set in its process before the file runs.

Each limit is set, tried, and listed if it works: Linux has all of them, other systems fewer. `worker` runs this
file alone, so it imports nothing of the package.
"""

import ctypes
import os
import platform
import signal
import struct
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

MEMORY, TIME = "memory", "processor time"
NETWORK, FILES, CALLS = "no network", "no files but Python's and NumPy's", "no other process"
ALL = (MEMORY, TIME, NETWORK, FILES, CALLS)


def isolate(memory: int, seconds: int) -> list[str]:
    """Set every limit that the system has; return the names of those that hold."""
    held = [name for name in (MEMORY, TIME) if limit_resource(name, {MEMORY: memory, TIME: seconds}[name])]
    if sys.platform == "linux":
        forbid_new_privileges()
        held += [name for name, limit in LINUX.items() if limit()]
    if CALLS in held:
        held.append(NETWORK)  # the network namespace may keep its interfaces, but no socket can be opened
    return held


def limit_resource(name: str, value: int) -> bool:
    """Set a resource limit, and the limits that forbid writing."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    try:
        for each in ("RLIMIT_FSIZE", "RLIMIT_CORE"):
            resource.setrlimit(getattr(resource, each), (0, 0))
        which = {MEMORY: resource.RLIMIT_AS, TIME: resource.RLIMIT_CPU}[name]
        resource.setrlimit(which, (value, value))
    except (OSError, ValueError):
        return False
    return name != MEMORY or sys.platform != "darwin"  # macOS accepts this limit without enforcing it


# --- Linux ------------------------------------------------------------------------------------------------------

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWNET = 0x08000000, 0x10000000, 0x40000000


def libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def forbid_new_privileges() -> bool:
    """Forbid programs started later to gain privileges; Landlock and seccomp require it."""
    return libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0


def leave_network() -> bool:
    """Enter a network namespace without any interface that is up."""
    held = libc().unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0
    end_with_grader()  # must come after unshare, which would undo it
    return held


def end_with_grader() -> bool:
    """Have the system end this process when the grader ends, even if the grader is killed."""
    return libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0


# Landlock: file rights, by the version of the kernel interface that introduced them [landlock(7)]
# numbers of system calls, the same on every processor
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = (444, 445, 446)
READ_FILE, READ_DIR = 1 << 2, 1 << 3
RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
LIBRARIES = ("/lib", "/lib64", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")
TCP, SCOPES = 0b11, 0b11  # bind and connect; abstract sockets and signals


def restrict_files() -> bool:
    """Use Landlock so that the process can read only the files of Python and NumPy, and write none."""
    call = libc().syscall
    version = call(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    rights = sum(bits for since, bits in RIGHTS.items() if since <= version)
    attributes = struct.pack("Q", rights)
    attributes += struct.pack("Q", TCP) * (version >= 4) + struct.pack("Q", SCOPES) * (version >= 6)
    rules = call(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return False
    for path in list_readable():
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        allowed = READ_FILE | READ_DIR if path.is_dir() else READ_FILE
        call(ADD_RULE, rules, 1, struct.pack("=Qi", allowed, handle), 0)
        os.close(handle)
    held = call(RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return held and not opens(__file__)  # this file is in the same folder as the solutions


def opens(path: str) -> bool:
    """Whether this process can open the file."""
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


def list_readable() -> Iterator[Path]:
    """The files of Python and NumPy: the standard library without site-packages, and the system's libraries,
    without the folders beside them that may hold Python packages."""
    standard = Path(sysconfig.get_path("stdlib"))
    yield from (path for path in standard.iterdir() if path.name not in ("site-packages", "dist-packages"))
    numpy = Path(sys.modules["numpy"].__path__[0])
    yield from (path for path in (numpy, numpy.with_name("numpy.libs")) if path.exists())
    for folder in {Path(name).resolve() for name in LIBRARIES if Path(name).is_dir()}:
        yield from (path for path in folder.iterdir() if ".so" in path.name and path.is_file())
    yield from (path for path in map(Path, ("/etc/ld.so.cache", "/dev/null")) if path.exists())


# seccomp: the numbers of the system calls that arithmetic needs, on x86-64 and on ARM64 (None: missing there)
CALLS_OF = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "poll": (7, None),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "access": (21, None),
    "select": (23, None),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "nanosleep": (35, 101),
    "getpid": (39, 172),
    "exit": (60, 93),
    "uname": (63, 160),
    "getcwd": (79, 17),
    "readlink": (89, None),
    "gettimeofday": (96, 169),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "times": (100, 153),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "time": (201, None),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "getdents64": (217, 61),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "newfstatat": (262, 79),
    "readlinkat": (267, 78),
    "faccessat": (269, 48),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "set_robust_list": (273, 99),
    "getrandom": (318, 278),
    "membarrier": (324, 283),
    "statx": (332, 291),
    "rseq": (334, 293),
    "faccessat2": (439, 439),
}
OPENAT, TGKILL, FCNTL = (257, 56), (234, 131), (72, 25)
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column, AUDIT_ARCH
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06  # BPF instructions of the filter
ALLOW, REFUSE = 0x7FFF0000, 0x00050001  # EPERM
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
FCNTL_COMMANDS = (1, 3, 1030)  # F_GETFD, F_GETFL, F_DUPFD_CLOEXEC: F_SETOWN would send signals


def filter_calls() -> bool:
    """Allow only the system calls that arithmetic needs: no new process, no signals to others, no sockets, no
    writing.
    """
    if platform.machine() not in ARCHITECTURES or sys.byteorder != "little" or sys.maxsize < 2**32:
        return False
    code = b"".join(struct.pack("HBBI", *line) for line in filter_program(platform.machine(), os.getpid()))
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    return libc().prctl(PR_SET_SECCOMP, 2, program, 0, 0) == 0


def filter_program(machine: str, pid: int) -> list[tuple[int, int, int, int]]:
    """Return the filter. Each line: instruction, lines to skip if the condition holds and if not, operand."""
    column, architecture = ARCHITECTURES[machine]
    numbers = [number for row in CALLS_OF.values() if (number := row[column]) is not None]
    argument = [16 + 8 * k for k in range(6)]  # the offset of the lower half of each
    guarded = [
        (FCNTL[column], [(LOAD, 0, 0, argument[1]), *_allow_one_of(FCNTL_COMMANDS)]),
        (OPENAT[column], [(LOAD, 0, 0, argument[2]), (ANY_BIT, 1, 0, WRITING), _ALLOW, _REFUSE]),
        (TGKILL[column], [(LOAD, 0, 0, argument[0]), (EQUAL, 0, 1, pid), _ALLOW, _REFUSE]),
    ]
    lines = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), _REFUSE, (LOAD, 0, 0, 0)]
    for number, body in guarded:
        lines += [(EQUAL, 0, len(body), number), *body]
    return lines + _allow_one_of(numbers)


_ALLOW, _REFUSE = (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)


def _allow_one_of(numbers: "list[int] | tuple[int, ...]") -> list[tuple[int, int, int, int]]:
    """Allow the call if the loaded value is one of the numbers, and refuse it otherwise."""
    tests = [(EQUAL, len(numbers) - k, 0, number) for k, number in enumerate(numbers)]
    return [*tests, _REFUSE, _ALLOW]


LINUX = {NETWORK: leave_network, FILES: restrict_files, CALLS: filter_calls}
