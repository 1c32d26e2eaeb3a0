"""What is compared: one row per tool and setting."""

from collections.abc import Mapping
from dataclasses import dataclass

from harness.samples import (
    Counter,
    count_austin,
    count_collapsed,
    count_pyinstrument,
    count_pyrometer,
    count_scalene,
)

# The words of a command may name, in braces:
#   python     the interpreter that runs the program, with the packages the program needs
#   bin        the folder of the tool's own programs
#   pyrometer  the executable under test
#   output     where the tool writes its profile
#   program    the file to run; what the program is given comes after it


@dataclass(frozen=True)
class Contender:
    name: str
    command: tuple[str, ...]
    # Of the package index, installed in an environment of their own; the first names the tool.
    # With a lowest version, or an ancient one that fits any Python may be chosen.
    packages: tuple[str, ...] = ()
    # The tool lives in the program's interpreter, so that needs the program's packages too.
    in_process: bool = False
    # A pattern below the output folder: a tool that writes nothing there has failed.
    output: str = ""
    count_samples: Counter | None = None
    rate: int | None = None  # samples per second that it is asked for
    # The most that the CPU time may grow by, as a ratio, where we have promised one.
    most: float | None = None

    @property
    def tool(self) -> str:
        return package_name(self.packages[0]) if self.packages else self.name.split(" ")[0]


def package_name(requirement: str) -> str:
    for position, letter in enumerate(requirement):
        if letter in "<>=!~[; ":
            return requirement[:position]
    return requirement


def fill(command: tuple[str, ...], words: Mapping[str, str]) -> list[str]:
    return [word.format_map(words) for word in command]


PLAIN = Contender("plain", ("{python}", "{program}"))


def pyrometer(rate: int, *options: str, most: float | None = None) -> Contender:
    return Contender(
        f"pyrometer {rate} Hz",
        ("{pyrometer}", "run", "-q", *options, "-o", "{output}/run", "--python", "{python}",
         "{program}"),
        output="run/raw/*/*.pyr",
        count_samples=count_pyrometer,
        rate=rate,
        most=most,
    )  # fmt: skip


def py_spy(rate: int) -> Contender:
    return Contender(
        f"py-spy {rate} Hz",
        ("{bin}/py-spy", "record", "-r", str(rate), "--format", "raw", "-o", "{output}/profile",
         "--", "{python}", "{program}"),
        packages=("py-spy>=0.4",),
        output="profile",
        count_samples=count_collapsed,
        rate=rate,
    )  # fmt: skip


def austin(rate: int) -> Contender:
    return Contender(
        f"austin {rate} Hz",
        # It gives up on an interpreter that needs longer than -t to start.
        ("{bin}/austin", "-t", "3s", "-i", f"{1_000_000 // rate}us", "-o", "{output}/profile",
         "{python}", "{program}"),
        # Its version 4 wants a C library newer than Debian 12 has.
        packages=("austin-dist>=3.7,<4",),
        output="profile",
        count_samples=count_austin,
        rate=rate,
    )  # fmt: skip


def pyinstrument(rate: int) -> Contender:
    return Contender(
        f"pyinstrument {rate} Hz",
        ("{python}", "-m", "pyinstrument", "-i", str(1 / rate), "-r", "pyisession",
         "-o", "{output}/profile", "{program}"),
        packages=("pyinstrument>=5",),
        in_process=True,
        output="profile",
        count_samples=count_pyinstrument,
        rate=rate,
    )  # fmt: skip


def scalene(rate: int) -> Contender:
    return Contender(
        f"scalene {rate} Hz",
        ("{python}", "-m", "scalene", "run", "--cpu-only", "--cpu-sampling-rate", str(1 / rate),
         "-o", "{output}/profile.json", "{program}"),
        packages=("scalene>=2",),
        in_process=True,
        output="profile.json",
        count_samples=count_scalene,
        rate=rate,
    )  # fmt: skip


SAMPLERS = (
    PLAIN,
    pyrometer(200, most=1.01),  # its default, which limits itself
    pyrometer(1000, "--rate", "1000", most=1.05),
    py_spy(200),
    py_spy(1000),
    austin(200),
    austin(1000),
    pyinstrument(200),
    pyinstrument(1000),
    scalene(200),
    scalene(1000),
)
