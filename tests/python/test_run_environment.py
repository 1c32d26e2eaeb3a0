"""What a program sees of its world is what it would see without pyrometer."""

import json
import os
import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from running import BUSY, Recorded, Recorder, run_command, same_behaviour

SEE = """
import json, os, sys
seen = {
    "argv": sys.argv, "path": sys.path, "prefix": sys.prefix, "executable": sys.executable,
    "flags": str(sys.flags), "file": globals().get("__file__"), "name": __name__,
    "package": __package__, "spec": __spec__ and __spec__.name,
    "main": sorted(vars(sys.modules["__main__"])),
    "cwd": os.getcwd(), "umask": os.umask(0), "orig_argv": sys.orig_argv[1:],
    "gc": __import__("gc").get_threshold(), "trace": str(sys.gettrace()),
    "profile": str(sys.getprofile()), "switch": sys.getswitchinterval(),
    "limit": sys.getrecursionlimit(), "hash": sys.hash_info.width,
    "priority": os.nice(0), "affinity": sorted(os.sched_getaffinity(0)),
    "tty": [os.isatty(stream) for stream in range(3)], "ppid": os.getppid() > 0,
    "descriptors": sorted(int(n) for n in os.listdir("/proc/self/fd") if int(n) < 1000),
    "limits": open("/proc/self/limits").read(),
}
print(json.dumps(seen, indent=1))
"""

FORMS = {
    "script": ["program.py", "a", "-h", "--rate", "5", "--", "-o", ""],
    "module": ["-m", "program", "a", "-q"],
    "code": ["-c", SEE, "a", "-m", "b"],
    "package": ["package"],
    "module package": ["-m", "package", "x"],
}


@pytest.fixture
def project(recorder: Recorder) -> Path:
    recorder.write(SEE)
    (recorder.folder / "package").mkdir()
    recorder.write(SEE, "package/__main__.py")
    return recorder.folder


@pytest.mark.parametrize("form", FORMS)
def test_program_sees_the_same(recorder: Recorder, project: Path, form: str) -> None:
    same_behaviour(*recorder.both(*FORMS[form], cwd=project))


def test_sys_modules(recorder: Recorder) -> None:
    """Nothing is imported that the program did not import, apart from our own."""
    script = recorder.write("import sys\nprint(*sorted(sys.modules), sep='\\n')\n")
    plain, recorded = recorder.both(script)
    before, after = set(plain.stdout.split()), set(recorded.result.stdout.split())
    assert before <= after, before - after
    allowed = {"sitecustomize"}
    extra = {name for name in after - before - allowed if "pyrometer" not in name}
    assert extra <= {"_agent"}, extra


def test_environment(recorder: Recorder) -> None:
    script = recorder.write("import json, os\nprint(json.dumps(dict(os.environ)))\n")
    environment = {**os.environ, "PYTHONPATH": "/somewhere:/else", "EMPTY": ""}
    plain, recorded = recorder.both(script, env=environment)
    before, after = json.loads(plain.stdout), json.loads(recorded.result.stdout)
    assert after.pop("PYTHONPATH").endswith(":" + before.pop("PYTHONPATH"))
    added = {name for name in set(after) - set(before) if name.startswith("PYROMETER_")}
    assert {name: value for name, value in after.items() if name not in added} == before
    assert {"PYROMETER_RUN", "PYROMETER_LAUNCH"} <= added


def test_standard_streams(one_recorder: Recorder) -> None:
    """Bytes in and out, larger than any pipe, on both streams."""
    script = one_recorder.write(
        "import sys\ndata = sys.stdin.buffer.read()\n"
        "sys.stdout.buffer.write(data[::-1])\nsys.stderr.buffer.write(data[:99999])\n"
    )
    data = os.urandom(300_000)
    same_behaviour(*one_recorder.both(script, input=data, text=False))


def test_closed_standard_streams(one_recorder: Recorder) -> None:
    """They stay closed: none of our descriptors becomes the program's output."""
    script = one_recorder.write(
        f"import json, os, sys\n{BUSY}\n"
        "def look(number):\n"
        "    try:\n        return oct(os.fstat(number).st_mode)\n"
        "    except OSError as error:\n        return error.strerror\n"
        "state = [look(n) for n in range(3)], str(sys.stdin), str(sys.stdout), str(sys.stderr)\n"
        "busy(1.2)\n"
        "with open(sys.argv[1], 'w') as file:\n    json.dump([*state, file.fileno()], file)\n"
    )

    def state(result: subprocess.CompletedProcess[Any], path: Path) -> Any:
        assert result.returncode == 0
        return json.loads(path.read_text())

    closed = ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]
    expected = one_recorder.folder / "plain.json"
    plain = state(run_command([*closed, one_recorder.python, script, expected]), expected)
    seen = one_recorder.folder / "recorded.json"
    line = one_recorder.line(one_recorder.new_run(), script, seen)
    result = run_command([*closed, *line])
    assert state(result, seen) == plain
    assert one_recorder.finish(result).profile().by_function("cpu")["busy"] > 1e9


def test_without_home(one_recorder: Recorder) -> None:
    script = one_recorder.write(f"{BUSY}\nbusy(0.3)\nprint('done')\n")
    recorded = one_recorder.record(script, env={"PATH": os.environ["PATH"]})
    assert recorded.result.stdout == "done\n", recorded.complaint
    assert recorded.profile().by_function("cpu")["busy"] > 0.2e9


def test_strict_umask(one_recorder: Recorder) -> None:
    script = one_recorder.write(f"{BUSY}\nbusy(0.3)\nprint('done')\n")
    recorded = one_recorder.record(script, umask=0o777)
    assert recorded.result.stdout == "done\n", recorded.complaint
    assert recorded.result.returncode == 0


# ---- interpreters that look elsewhere


@pytest.mark.parametrize("option", ["-I", "-E", "-S", "-P", "-Xdev"])
def test_interpreter_options(recorder: Recorder, option: str) -> None:
    """Recorded all the same, or the reason is said."""
    script = recorder.write(f"{BUSY}\nbusy(0.5)\nprint('done')\n")
    recorded = recorder.record_program(recorder.python, option, script)
    assert recorded.result.stdout == "done\n", recorded.complaint
    assert recorded.result.returncode == 0
    if option in ("-I", "-E", "-S") and not recorded.recordings:
        assert option in recorded.result.stderr, recorded.complaint
    else:
        busy = recorded.profile().by_function("cpu")["busy"]
        assert busy == pytest.approx(0.5e9, rel=0.2), recorded.complaint


def with_sitecustomize(recorder: Recorder, source: str) -> dict[str, str]:
    folder = recorder.folder / "site"
    folder.mkdir()
    recorder.write(source, "site/sitecustomize.py")
    return {**os.environ, "PYTHONPATH": str(folder)}


def test_own_sitecustomize_runs(recorder: Recorder) -> None:
    environment = with_sitecustomize(
        recorder,
        "import sys\nprint('custom', __name__, __file__, sys.path)\nsys.custom = 42\nVALUE = 7\n",
    )
    script = recorder.write(
        f"import sys\nimport sitecustomize\nprint(sys.custom, sitecustomize.VALUE, "
        f"sitecustomize.__file__, sys.path)\n{BUSY}\nbusy(0.3)\n"
    )
    plain, recorded = recorder.both(script, env=environment)
    same_behaviour(plain, recorded)
    assert "custom" in plain.stdout
    assert recorded.profile().by_function("cpu")["busy"] > 0.2e9


@pytest.mark.parametrize(
    "source",
    [
        "raise RuntimeError('broken site')",
        "1 +",
        "import module_that_is_missing",
        "raise ImportError('no', name='sitecustomize')",
    ],
)
def test_own_sitecustomize_fails_as_usual(recorder: Recorder, source: str) -> None:
    environment = with_sitecustomize(recorder, source + "\n")
    plain, recorded = recorder.both(recorder.write("print('ran')\n"), env=environment)
    same_behaviour(plain, recorded)


def test_own_sitecustomize_exits(recorder: Recorder) -> None:
    """Python shows a traceback then, which says that our hook handed over; nothing else differs."""
    environment = with_sitecustomize(recorder, "import sys\nsys.exit(3)\n")
    plain, recorded = recorder.both(recorder.write("print('ran')\n"), env=environment)
    ours = r'  File "[^"]*/start/sitecustomize\.py".*\n    .*\n( +\^+\n)?'
    assert re.sub(ours, "", recorded.result.stderr) == plain.stderr
    assert recorded.result.returncode == plain.returncode
    assert recorded.result.stdout == plain.stdout


def test_hook_without_its_run(recorder: Recorder) -> None:
    """Programs started with our variables but without the run's directory run as usual."""
    script = recorder.write("print('ran')\n")
    missing = recorder.folder / "no" / "such" / "run"
    environment = {**os.environ, "PYROMETER_RUN": str(missing), "PYROMETER_LAUNCH": "test:1"}
    helpers = recorder.executable.resolve().parents[1] / "libexec" / "pyrometer" / "start"
    environment["PYTHONPATH"] = str(helpers)
    result = recorder.plain(script, env=environment)
    assert (result.stdout, result.stderr, result.returncode) == ("ran\n", "", 0)
    assert not missing.exists()


# ---- other ways to start


def make_executable(path: Path) -> Path:
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.parametrize("found_by", ["path", "PATH"])
def test_console_script(one_recorder: Recorder, found_by: str) -> None:
    tool = one_recorder.write(
        f"#!{one_recorder.python}\nimport sys\n{BUSY}\nbusy(0.3)\nprint(sys.argv)\nsys.exit(4)\n",
        "my-tool",
    )
    make_executable(tool)
    environment = {**os.environ, "PATH": f"{one_recorder.folder}:{os.environ['PATH']}"}
    name = str(tool) if found_by == "path" else tool.name
    recorded = one_recorder.record_program(name, "--option", "x", env=environment)
    assert recorded.result.stdout == f"{[str(tool), '--option', 'x']}\n", recorded.complaint
    assert recorded.result.returncode == 4
    assert recorded.profile().by_function("cpu")["busy"] == pytest.approx(0.3e9, rel=0.25)


def test_shell_script_that_starts_python(one_recorder: Recorder) -> None:
    script = one_recorder.write(f"{BUSY}\nbusy(0.3)\nprint('inner')\n")
    shell = one_recorder.write(
        f"#!/bin/sh\n'{one_recorder.python}' '{script}'\necho outer\nexit 9\n", "go"
    )
    recorded = one_recorder.record_program(make_executable(shell))
    assert recorded.result.stdout == "inner\nouter\n", recorded.complaint
    assert recorded.result.returncode == 9
    assert recorded.profile().by_function("cpu")["busy"] == pytest.approx(0.3e9, rel=0.25)


def test_program_without_python(one_recorder: Recorder) -> None:
    recorded = one_recorder.record_program("/bin/echo", "hello")
    assert recorded.result.stdout == "hello\n"
    assert recorded.result.returncode == 0
    assert "Python" in recorded.result.stderr  # why there is no profile


def test_python_of_a_virtual_environment(recorder: Recorder) -> None:
    folder = recorder.folder / "venv"
    made = recorder.plain("-m", "venv", "--without-pip", folder)
    assert made.returncode == 0, made.stderr
    recorder.python = folder / "bin" / "python"
    script = recorder.write(f"import sys\n{BUSY}\nbusy(0.3)\nprint(sys.prefix, sys.path)\n")
    plain, recorded = recorder.both(script)
    same_behaviour(plain, recorded)
    assert str(folder) in plain.stdout
    (attributes,) = recorded.attributes()
    assert attributes["python.executable"] == str(recorder.python)


def test_what_is_said_of_the_process(recorder: Recorder, python_version: str) -> None:
    script = recorder.write("for _ in range(30_000_000):\n    pass\n")
    recorded: Recorded = recorder.record(script, options=["--rate", 500, "--clock", "perf"])
    (said,) = recorded.attributes()
    cpu = int(said["sampler.cpu"])
    assert said["python.version"].startswith(python_version + ".")
    assert said["sampler.rate"] == "500"
    assert said["sampler.clock"] == "perf"
    assert int(said["sampler.samples"]) > 0.8 * 500 * (cpu / 1e9 - 0.1)
    assert int(said["sampler.lost"]) == 0
    assert 0 < int(said["sampler.cost"]) < 0.1 * cpu
    assert recorded.profile().total("cpu") == pytest.approx(cpu, rel=0.1, abs=0.05e9)


OTHER_INTERPRETERS = f"""
import threading
try: import _interpreters as interpreters
except ImportError: import _xxsubinterpreters as interpreters
run = getattr(interpreters, 'run_string', None) or interpreters.exec
source = '''
{BUSY}
def inside():
    busy(0.3)
inside()
import sys
print('sitecustomize' in sys.modules, flush=True)
'''
def work():
    run(interpreters.create(), source)
for _ in range(2):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
work()
"""


def test_interpreters_inside_a_process(recorder: Recorder) -> None:
    """Nobody complains, and what they do is recorded as all else that threads do."""
    script = recorder.write(OTHER_INTERPRETERS)
    plain, recorded = recorder.both(script)
    same_behaviour(plain, recorded)
    assert plain.stdout.count("\n") == 3, plain.stderr
    assert recorded.profile().total("cpu") > 0.85e9
    if recorder.python_version() >= (3, 12):  # before, only the first one's frames are known
        assert recorded.profile().by_function("cpu")["busy"] > 0.6e9
