"""Memory of a part of a program that was started without the library before malloc: it is loaded
when the recording begins, stands before what loaded libraries import, and leaves nothing behind.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from inside_programs import InsideRunner
from running import by_caller
from test_memory_recording import find_jemalloc

MIB = 1 << 20
HEADER = 1 << 10  # what an object takes beside its bytes, at most

# An extension module whose only use is that importing it loads a library that allocates.
LIBRARY = """
#include <stdlib.h>
#include <string.h>

void* PyInit_blocks(void) { return 0; }
void* make(size_t size) { return calloc(1, size); }
void* grow(void* block, size_t size) { return realloc(block, size); }
void drop(void* block) { free(block); }
void* copy(const char* text) { return strdup(text); }
void churn(int rounds, size_t size) {
  for (int i = 0; i < rounds; ++i) {
    void* blocks[64];
    for (int j = 0; j < 64; ++j) blocks[j] = malloc(size + 16 * j);
    for (int j = 0; j < 64; ++j) blocks[j] = realloc(blocks[j], 2 * size);
    for (int j = 0; j < 64; ++j) free(blocks[j]);
  }
}
"""
LOAD = """
import ctypes, importlib.machinery, importlib.util

def load(path):
    library = ctypes.CDLL(path)
    for name in ("make", "grow", "copy"):
        getattr(library, name).restype = ctypes.c_void_p
    library.make.argtypes = [ctypes.c_size_t]
    library.grow.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    library.drop.argtypes = [ctypes.c_void_p]
    library.copy.argtypes = [ctypes.c_char_p]
    library.churn.argtypes = [ctypes.c_int, ctypes.c_size_t]
    return library

def import_it(path):
    loader = importlib.machinery.ExtensionFileLoader("blocks", path)
    spec = importlib.util.spec_from_file_location("blocks", path, loader=loader)
    try:
        loader.create_module(spec)
    except SystemError:
        pass  # as it is no module
"""


@pytest.fixture
def program(executable: Path, python: Path, tmp_path: Path) -> InsideRunner:
    return InsideRunner(executable, python, tmp_path)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    source, library = tmp_path / "blocks.c", tmp_path / "blocks.so"
    source.write_text(LIBRARY)
    flags = ["-shared", "-fPIC", "-O1", "-fno-builtin"]
    subprocess.run([compiler, *flags, "-o", library, source], check=True)
    return library


def made_by(program: InsideRunner, run: str, metric: str = "allocated") -> dict[str, int]:
    return by_caller(program.recorded(run), metric)


def memory_of(program: InsideRunner, run: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(program.command("memory", run, "--json"))
    return document


def attribute(program: InsideRunner, run: str, name: str) -> int:
    (attributes,) = program.recorded(run).attributes()
    return int(attributes[name])


def assert_about(size: int, expected: int) -> None:
    """Python's small objects beside it are sampled."""
    assert expected <= size < expected + 2 * MIB


def heap_over_time(program: InsideRunner, run: str) -> list[int]:
    (series,) = [row for row in memory_of(program, run)["series"] if row["of"] == "heap"]
    return [point[1] for point in series["points"]]


SITES = """
def big(): return [bytearray(8 << 20) for _ in range(10)]
def small(): return [bytearray(100_000) for _ in range(2_000)]
def objects(): return [float(i) for i in range(1_900_000)]
def others(): return bytearray(32 << 20)
before = others()
with pyrometer.recording('part', memory=MODE):
    kept = big()
    del kept[5:]
    many = small()
    del many
    floats = objects()
    del before
after = others()
"""


@pytest.mark.parametrize("mode", ["sampled", "exact", "objects"])
def test_bytes_of_each_site(program: InsideRunner, mode: str) -> None:
    program.expect(SITES.replace("MODE", repr(mode)))
    made, live = made_by(program, "part"), made_by(program, "part", "live")
    assert made["big"] == pytest.approx(10 * 8 * MIB, abs=10 * HEADER)
    assert live["big"] == pytest.approx(5 * 8 * MIB, abs=10 * HEADER)
    tolerance = 0.4 if mode == "sampled" else 0.01
    assert made["small"] == pytest.approx(2_000 * 100_001, rel=tolerance)
    assert live.get("small", 0) < MIB
    assert "others" not in made
    assert "others" not in live
    of_objects = 0.02 if mode == "objects" else 0.6
    assert live["objects"] - 15_200_000 == pytest.approx(45_600_000, rel=of_objects, abs=MIB)
    # Five blocks, and the small ones: what was there before counts neither there nor when it goes.
    peak = attribute(program, "part", "memory.heap-peak")
    assert peak == pytest.approx(40 * MIB + 200_000_000, rel=0.05)


def test_true_is_sampled_and_names_modes(program: InsideRunner) -> None:
    # So large that one more arena of Python's own allocator beside it is nothing.
    program.expect(
        "pyrometer.start('part', memory=True); kept = bytearray(90 << 20); pyrometer.stop()\n"
    )
    assert memory_of(program, "part")["mode"] == "sampled"
    assert attribute(program, "part", "memory.heap-peak") == pytest.approx(90 * MIB, rel=0.05)


def test_blocks_from_before(program: InsideRunner, library: Path) -> None:
    """They go, grow and come from elsewhere without a trace in the heap."""
    program.expect(
        LOAD
        + "library = load(sys.argv[1])\n"
        + "old = [library.make(1 << 16) for _ in range(500)]\n"
        + "growing = [library.make(1 << 12) for _ in range(500)]\n"
        + "with pyrometer.recording('part', memory='exact'):\n"
        + "    for block in old: library.drop(block)\n"
        + "    copies = [library.copy(b'x' * 5000) for _ in range(500)]\n"
        + "    for block in copies: library.drop(block)\n"
        + "    def grow(): return [library.grow(block, 1 << 14) for block in growing]\n"
        + "    grown = grow()\n"
        + "    time.sleep(0.2)\n"
        + "    for block in grown: library.drop(block)\n"
        + "    time.sleep(0.2)\n",
        library,
    )
    assert_about(made_by(program, "part")["grow"], 500 << 14)
    assert attribute(program, "part", "memory.heap-peak") == pytest.approx(500 << 14, rel=0.1)
    heap = heap_over_time(program, "part")
    assert min(heap) >= 0
    assert heap[-1] < 2 * MIB


@pytest.mark.parametrize("way", ["import", "load"])
def test_libraries_that_come_later(program: InsideRunner, library: Path, way: str) -> None:
    """Imported, they are known at once; else when the recorder looks for them."""
    wait = "import_it(sys.argv[1])" if way == "import" else "load(sys.argv[1]); time.sleep(0.5)"
    program.expect(
        LOAD
        + "import mmap\n"
        + "with pyrometer.recording('part', memory='exact'):\n"
        + f"    {wait}\n"
        + "    library = load(sys.argv[1])\n"
        + "    def of_library(): return [library.make(3 << 10) for _ in range(1000)]\n"
        + "    blocks = of_library()\n"
        + "    for block in blocks[:500]: library.drop(block)\n",
        library,
    )
    made, live = made_by(program, "part"), made_by(program, "part", "live")
    assert_about(made["of_library"], 1000 * (3 << 10))
    assert_about(live["of_library"], 500 * (3 << 10))


def test_mappings(program: InsideRunner) -> None:
    program.expect(
        "import mmap\n"
        "old = mmap.mmap(-1, 64 << 20)\n"
        "with pyrometer.recording('part', memory=True):\n"
        "    def mapped(): return mmap.mmap(-1, 16 << 20)\n"
        "    kept, gone = mapped(), mapped()\n"
        "    gone.close(); old.close()\n"
    )
    assert made_by(program, "part")["mapped"] == pytest.approx(32 * MIB, abs=HEADER)
    assert made_by(program, "part", "live")["mapped"] == pytest.approx(16 * MIB, abs=HEADER)
    assert attribute(program, "part", "memory.heap-peak") == pytest.approx(32 * MIB, rel=0.05)


def test_leak(program: InsideRunner) -> None:
    program.expect(
        "kept = []\n"
        "def leak(): kept.append(bytearray(200_000))\n"
        "def work(): return [bytearray(150_000) for _ in range(20)]\n"
        "with pyrometer.recording('part', memory='exact'):\n"
        "    for _ in range(100): leak(); work(); time.sleep(0.01)\n"
    )
    live = made_by(program, "part", "live")
    assert live["leak"] == pytest.approx(100 * 200_000, rel=0.06)
    assert live.get("work", 0) == 0
    assert [row["function"] for row in memory_of(program, "part")["growing"]] == ["leak"]


def test_beside_other_engines(program: InsideRunner) -> None:
    """Lines have their time; what each of them allocated is that of its place."""
    program.expect(
        "def work():\n"
        "    kept = bytearray(20 << 20)\n"
        "    busy(0.1)\n"
        "    return kept\n"
        "with pyrometer.recording('lines', lines=[work], memory=True): work()\n"
        "with pyrometer.recording('exact', exact=True, memory=True): work()\n"
    )
    assert program.hits("lines")["work"] == [1, 1, 1]
    assert program.calls("exact")["work"] == 1
    for run in ("lines", "exact"):
        assert made_by(program, run)["work"] == pytest.approx(20 * MIB, rel=0.05)


def test_a_pause(program: InsideRunner) -> None:
    program.expect(
        "def seen(): return bytearray(8 << 20)\n"
        "def unseen(): return bytearray(8 << 20)\n"
        "with pyrometer.recording('part', memory=True):\n"
        "    a = seen(); pyrometer.pause(); b = unseen(); pyrometer.resume(); c = seen()\n"
    )
    made = made_by(program, "part")
    assert made["seen"] == pytest.approx(16 * MIB, abs=2 * HEADER)
    assert "unseen" not in made


def test_mappings_of_a_pause_leave_the_heap(program: InsideRunner) -> None:
    program.expect(
        "import mmap, time\n"
        "with pyrometer.recording('part', memory=True):\n"
        "    pyrometer.pause(); b = mmap.mmap(-1, 100 << 20); pyrometer.resume()\n"
        "    time.sleep(0.2); b.close(); time.sleep(0.2)\n"
    )
    heap = heap_over_time(program, "part")
    assert max(heap) == pytest.approx(100 * MIB, abs=8 * MIB)
    assert heap[-1] < 8 * MIB


# What the library counts for the calling thread: it stands still while nothing leads there.
COUNTED = """
import ctypes
from pyrometer._native import native_file

class Thread(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64)
                for name in ("until_sample", "until_object", "live", "allocated")]

class Table(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("size", ctypes.c_uint32),
                ("agent_came", ctypes.c_void_p),
                ("own_thread", ctypes.CFUNCTYPE(ctypes.POINTER(Thread)))]

def counted():
    library = ctypes.CDLL(str(native_file("_memory.so")))
    return Table.in_dll(library, "pyrometer_memory_table").own_thread().contents.allocated

def is_counted():
    before = counted()
    bytearray(1 << 20)
    return counted() - before >= 1 << 20

def protections():
    with open("/proc/self/maps") as maps:
        rows = [line.split() for line in maps]
    ranges = [(*(int(end, 16) for end in row[0].split("-")), row[1])
              for row in rows if len(row) > 5 and row[5].startswith("/")]
    return {(page, may) for begin, end, may in ranges for page in range(begin, end, 4096)}
"""


def test_nothing_is_left(program: InsideRunner) -> None:
    program.expect(
        COUNTED
        + "import _imp\n"
        + "import mmap\n"
        + "with pyrometer.recording('first', memory=True): is_counted()\n"
        + "original = _imp.create_dynamic\n"
        + "before = protections()\n"
        + "assert not is_counted()\n"
        + "for number in range(100):\n"
        + "    mode = ('sampled', 'exact', 'objects')[number % 3]\n"
        + "    with pyrometer.recording('again', memory=mode, overwrite=True):\n"
        + "        def work(): return bytearray(2 << 20)\n"
        + "        kept = work()\n"
        + "        assert is_counted(), number\n"
        + "        assert protections() >= before, number\n"
        + "    assert not is_counted(), number\n"
        + "    assert _imp.create_dynamic is original\n"
        + "assert protections() >= before\n"
        + "kept = bytearray(5 << 20)\n"
        + "mapped = mmap.mmap(-1, 1 << 20)\n"
    )
    assert made_by(program, "again")["work"] == pytest.approx(2 * MIB, abs=HEADER)
    assert attribute(program, "again", "memory.heap-peak") == pytest.approx(4 * MIB, rel=0.3)


def test_beside_tracemalloc(program: InsideRunner) -> None:
    """Whoever took Python's allocator over meanwhile keeps it."""
    program.expect(
        "import tracemalloc\n"
        "def work(): return [str(i) for i in range(100_000)]\n"
        "pyrometer.start('one', memory='objects'); kept = work(); tracemalloc.start()\n"
        "pyrometer.stop(); more = work(); del kept\n"
        "assert tracemalloc.get_traced_memory()[0] > 4_000_000\n"
        "with pyrometer.recording('two', memory='objects'): kept = work()\n"
        "tracemalloc.stop(); del more\n"
        "with pyrometer.recording('three', memory='objects'): more = work()\n"
        "del kept, more\n"
    )
    for run in ("one", "two", "three"):
        live = made_by(program, run, "live")["work"]
        assert live > 100_000 * 46, run  # in the second, what tracemalloc notes is beside it


def test_threads_that_allocate_all_the_time(program: InsideRunner, library: Path) -> None:
    program.expect(
        LOAD
        + "import threading\n"
        + "library = load(sys.argv[1])\n"
        + "is_over = False\n"
        + "def native():\n"
        + "    while not is_over: library.churn(200, 100)\n"
        + "def python():\n"
        + "    while not is_over: [bytearray(i) for i in range(0, 4000, 37)]\n"
        + "def short():\n"
        + "    while not is_over:\n"
        + "        thread = threading.Thread(target=library.churn, args=(5, 64))\n"
        + "        thread.start(); thread.join()\n"
        + "threads = [threading.Thread(target=f) for f in (native, native, python, short)]\n"
        + "for thread in threads: thread.start()\n"
        + "for number in range(40):\n"
        + "    mode = ('sampled', 'exact', 'objects')[number % 3]\n"
        + "    with pyrometer.recording('part', memory=mode, overwrite=True): time.sleep(0.02)\n"
        + "with pyrometer.recording('part', memory='exact', overwrite=True): time.sleep(0.3)\n"
        + "is_over = True\n"
        + "for thread in threads: thread.join()\n",
        library,
    )
    assert made_by(program, "part")["native"] > MIB
    assert attribute(program, "part", "memory.heap-peak") < 8 * MIB
    assert min(heap_over_time(program, "part")) >= 0
    assert min(made_by(program, "part", "live").values(), default=0) >= 0


def test_libraries_that_come_and_go_all_the_time(program: InsideRunner, library: Path) -> None:
    """While another thread has them loaded, nobody writes where the loader does."""
    for number in range(8):
        shutil.copy(library, library.with_name(f"blocks-{number}.so"))
    program.expect(
        LOAD
        + "import _ctypes, threading\n"
        + "is_over = False\n"
        + "def loading():\n"
        + "    while not is_over:\n"
        + "        for number in range(8):\n"
        + "            library = load(sys.argv[1].replace('.so', f'-{number}.so'))\n"
        + "            library.churn(2, 64)\n"
        + "            _ctypes.dlclose(library._handle)\n"
        + "threads = [threading.Thread(target=loading) for _ in range(2)]\n"
        + "for thread in threads: thread.start()\n"
        + "for number in range(30):\n"
        + "    with pyrometer.recording('part', memory='exact', overwrite=True):\n"
        + "        kept = [bytearray(i) for i in range(5000)]\n"
        + "        time.sleep(0.05)\n"
        + "is_over = True\n"
        + "for thread in threads: thread.join()\n",
        library,
    )
    assert min(heap_over_time(program, "part")) >= 0


def test_fork(program: InsideRunner) -> None:
    """The child's memory is its own; both leave nothing behind."""
    program.expect(
        COUNTED
        + "def child(): return bytearray(8 << 20)\n"
        + "def parent(): return bytearray(16 << 20)\n"
        + "with pyrometer.recording('part', memory=True) as r:\n"
        + "    pid = os.fork()\n"
        + "    kept = child() if pid == 0 else parent()\n"
        + "    if pid == 0:\n"
        + "        r.stop()\n"
        + "        os._exit(is_counted())\n"
        + "    assert os.waitpid(pid, 0)[1] == 0\n"
        + "assert not is_counted()\n"
    )
    processes = memory_of(program, "part")["processes"]
    assert len(processes) == 2
    made = made_by(program, "part")
    assert made["child"] == pytest.approx(8 * MIB, abs=HEADER)
    assert made["parent"] == pytest.approx(16 * MIB, abs=HEADER)


FORK_HANDLERS = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* allocate(void* unused) {
  char* block = malloc(2 << 20);
  memset(block, 1, 2 << 20);
  free(block);
  return unused;
}
static void before(void) {  /* as a pool of threads that is shut down */
  pthread_t thread;
  allocate(0);
  pthread_create(&thread, 0, allocate, 0);
  pthread_join(thread, 0);
}
static void after(void) { allocate(0); }
void handle_forks(void) { pthread_atfork(before, after, after); }
"""


def test_handlers_of_forks_that_allocate(program: InsideRunner, tmp_path: Path) -> None:
    """Those from before the recording run between ours."""
    source, library = tmp_path / "handlers.c", tmp_path / "handlers.so"
    source.write_text(FORK_HANDLERS)
    subprocess.run(["cc", "-shared", "-fPIC", "-pthread", "-o", library, source], check=True)
    program.expect(
        "import ctypes, mmap, os\n"
        + "ctypes.CDLL(os.path.abspath('handlers.so')).handle_forks()\n"
        + "def child(): return bytearray(8 << 20)\n"
        + "with pyrometer.recording('part', memory='exact'):\n"
        + "    for _ in range(3):\n"
        + "        if (pid := os.fork()) == 0:\n"
        + "            kept = child()\n"
        + "            raise SystemExit(5)\n"
        + "        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 5\n"
    )
    assert made_by(program, "part")["child"] == pytest.approx(3 * 8 * MIB, abs=3 * HEADER)


def test_a_preloaded_allocator_stays_in_charge(program: InsideRunner) -> None:
    program.expect(
        "def work(): return [bytearray(100_000) for _ in range(100)]\n"
        "old = work()\n"
        "with pyrometer.recording('part', memory='exact'): del old; kept = work()\n"
        "del kept\n"
        "with open('/proc/self/maps') as maps: assert 'libjemalloc' in maps.read()\n",
        LD_PRELOAD=find_jemalloc(),
    )
    assert_about(made_by(program, "part")["work"], 10_000_000)
    peak = attribute(program, "part", "memory.heap-peak")
    assert 10_000_000 < peak < 14_000_000  # rounded up by jemalloc


def test_without_the_library(program: InsideRunner, executable: Path) -> None:
    """One sentence, and nothing is left of the run."""
    installed = program.folder / "installed"
    shutil.copytree(executable.parents[1] / "libexec", installed / "libexec")
    (installed / "libexec" / "pyrometer" / "_memory.so").unlink()
    (installed / "bin").mkdir()
    (installed / "bin" / "pyrometer").symlink_to(executable)
    program.expect(
        "from pyrometer import _executable\n"
        "from pathlib import Path\n"
        "_executable._candidates = lambda: iter([Path('installed/bin/pyrometer').absolute()])\n"
        "try: pyrometer.start('part', memory=True)\n"
        "except pyrometer.RecordingError as error:\n"
        "    assert 'as the library for it cannot be loaded' in str(error), error\n"
        "else: raise AssertionError('not refused')\n"
        "assert not os.path.exists('part')\n"
        "with pyrometer.recording('part'): busy(0.1)\n"
    )
    assert "busy" in program.profile("part").function_names
