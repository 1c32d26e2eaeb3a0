"""Timers go to worker processes: by name where the worker imports it, by value where cloudpickle
takes the program's own functions along."""

import sys
from pathlib import Path

import cloudpickle
import pytest
from line_programs import LineRunner

# What loads it is another process.
LOADER = """
import pickle, sys
for value in pickle.load(open("values.pickle", "rb")):
    print(value(4) if callable(value) else value)
"""
SCRIPT = """
import pickle, subprocess, sys
import pyrometer
from pyrometer import mark, timed_function, timed_region, timings

@timed_function
def plus(x): return x + 1

@timed_region("factorial")
def factorial(x):
    "Calls itself by its timed name."
    return x * factorial(x - 1) if x else 1

class Mesh:
    @timed_function
    def refine(self, x): return self.twice(x), Mesh.kind()
    @timed_function
    @staticmethod
    def twice(x): return 2 * x
    @timed_function
    @classmethod
    def kind(cls): return cls.__name__

@timed_function
def numbers(x): yield from range(x)

def uses_region(x):
    with timed_region("used"):
        mark("here")
        return list(numbers(x))

def make(a):
    @timed_function
    def nested(x): return a + x
    return nested

def told(x):
    factorial(x)
    row = timings()["factorial"]
    return row.count, factorial.__name__, factorial.__doc__

EXPECTED = ["5", "24", "(8, 'Mesh')", "[0, 1, 2, 3]", "104"]
"""
BY_VALUE = f"""{SCRIPT}
import cloudpickle
values = [plus, factorial, Mesh().refine, uses_region, make(100), told]
with open("values.pickle", "wb") as file:
    file.write(cloudpickle.dumps(values))
loaded = subprocess.run([sys.executable, "loader.py"], capture_output=True, text=True)
assert loaded.stdout.splitlines() == [
    *EXPECTED, "(10, 'factorial', 'Calls itself by its timed name.')"], loaded
again = cloudpickle.loads(cloudpickle.dumps(factorial))
assert again.__wrapped__.__globals__["factorial"] is again
"""


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    return LineRunner(python, tmp_path)


def expect(program: LineRunner, source: str) -> str:
    program.write("program.py", source)
    done = program("program.py")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_by_name(program: LineRunner) -> None:
    """Also of a module of its own name, as no import finds the agent."""
    program.write("mesh.py", SCRIPT)
    program.write("loader.py", LOADER)
    expect(
        program,
        """
import mesh, pickle, pyrometer, subprocess, sys
from pyrometer import Region, mark, timed_region
for value in (mesh.plus, mesh.Mesh.refine, mesh.Mesh.twice, Region, mark, timed_region):
    assert pickle.loads(pickle.dumps(value)) is value
assert pickle.loads(pickle.dumps(timed_region("r"))) is timed_region("r")
values = [mesh.plus, mesh.Mesh().refine, [timed_region("r")]]
with open("values.pickle", "wb") as file:
    pickle.dump(values, file)
loaded = subprocess.run([sys.executable, "loader.py"], capture_output=True, text=True)
assert loaded.stdout.splitlines() == ["5", "(8, 'Mesh')", "[timed_region('r')]"], loaded
try:
    pickle.dumps(mesh.make(1))
    raise SystemExit("a nested function was pickled by name")
except (AttributeError, pickle.PicklingError):
    pass
""",
    )


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools(program: LineRunner, method: str) -> None:
    source = f"""{SCRIPT}
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=get_context("{method}")) as pool:
        tasks = (plus, factorial, Mesh().refine, uses_region)
        assert [str(pool.submit(task, 4).result()) for task in tasks] == EXPECTED[:-1]
"""
    expect(program, source)


def test_by_value(program: LineRunner) -> None:
    """Whichever Python it is: the package is nothing but Python."""
    (program.folder / "cloudpickle").symlink_to(Path(cloudpickle.__file__).parent)
    program.write("loader.py", LOADER)
    expect(program, BY_VALUE)
    program.write("mesh.py", SCRIPT)
    expect(
        program,
        """
import cloudpickle, mesh
assert cloudpickle.loads(cloudpickle.dumps(mesh.plus)) is mesh.plus
cloudpickle.register_pickle_by_value(mesh)
again = cloudpickle.loads(cloudpickle.dumps(mesh.plus))
assert again is not mesh.plus and again(4) == 5
""",
    )


JOBLIB = """
    from joblib import Parallel, delayed
    for task in tasks:
        print(Parallel(n_jobs=2)(delayed(task)(4) for _ in range(2))[1])
"""
DASK = """
    from dask.distributed import Client, LocalCluster
    with LocalCluster(1, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            for task in tasks:
                print(client.submit(task, 4).result(timeout=60))
"""


@pytest.mark.parametrize("pool", [JOBLIB, DASK], ids=["joblib", "dask"])
def test_packages(tmp_path: Path, pool: str) -> None:
    source = f"{SCRIPT}\nif __name__ == '__main__':\n"
    source += "    tasks = (plus, factorial, Mesh().refine, uses_region, make(100))\n"
    told = expect(LineRunner(Path(sys.executable), tmp_path), source + pool)
    assert told.splitlines() == ["5", "24", "(8, 'Mesh')", "[0, 1, 2, 3]", "104"]
