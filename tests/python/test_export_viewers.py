"""Exported files in the code of the viewers themselves: speedscope, pprof, the Firefox Profiler."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, read_json
from node_tools import NodeTools, node_tools

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def node() -> NodeTools:
    return node_tools()


@pytest.fixture(scope="module", params=["recording", "ranks", "pstats"])
def profile(request: pytest.FixtureRequest, run_directory: Path, prof_file: Path) -> Path:
    files = {"recording": DATA / "recording-v1.pyr", "ranks": run_directory, "pstats": prof_file}
    return files[request.param]


def export(pyrometer: Run, profile: Path, output: Path, *words: object) -> Path:
    done = pyrometer("export", profile, "-o", output, *words)
    assert (done.returncode, done.stderr) == (0, "")
    return output


def total_of(pyrometer: Run, profile: Path, *words: object) -> int:
    document = read_json(pyrometer("report", profile, "--json", *words), "report")
    return int(document["totals"]["self"])


def tree_self(pyrometer: Run, profile: Path) -> Counter[str]:
    """Self values by name in the call tree, which is estimated for a cProfile file."""
    document = read_json(pyrometer("export", profile, "--json"), "export")
    names = [f["qualified_name"] or f["name"] for f in document["functions"]]
    costs: Counter[str] = Counter()
    for _, row, value in next(m for m in document["metrics"] if m["name"] == "wall")["values"]:
        costs[names[document["nodes"][row]["function"]]] += value
    return costs


# ---- speedscope's importer

# Its page is one script without exports: the importer is taken out before the page begins.
SPEEDSCOPE = r"""
const fs = require('fs'), path = require('path');
const folder = path.dirname(require.resolve('speedscope/package.json')) + '/dist/release/';
const bundle = fs.readdirSync(folder).find((name) => /^speedscope-.*\.js$/.test(name));
const code = fs.readFileSync(folder + bundle, 'utf8');
const [, names] = code.match(/(\w+)=\{\};[\w$]+\(\1,\{importFromFileSystem/);
const [, start] = code.match(new RegExp(`\\.then\\(\\(\\)=>\\((\\w+)\\(\\),${names}\\)\\)`));
const hook = `globalThis.importer = () => (${start}(), ${names});`;
try {
  (0, eval)(code.replace('(()=>{', '(()=>{' + hook));
} catch (error) {
  if (!/window is not defined/.test(error)) throw error;  // that is where the page begins
}
console.log = () => {};
const file = process.argv[1];
const bytes = new Uint8Array(fs.readFileSync(file)).buffer;
globalThis.importer().importProfilesFromArrayBuffer(path.basename(file), bytes).then((group) => {
  const profiles = group.profiles.map((profile) => {
    const frames = {};
    profile.forEachFrame((frame) => {
      frames[frame.name] = (frames[frame.name] || 0) + frame.getSelfWeight();
    });
    return { name: profile.getName(), unit: profile.getWeightUnit(),
             total: profile.getTotalWeight(), frames };
  });
  process.stdout.write(JSON.stringify(profiles));
});
"""


def in_speedscope(node: NodeTools, file: Path) -> Any:
    return json.loads(node.run(SPEEDSCOPE, file))


def frames_of(profiles: Any) -> Counter[str]:
    frames: Counter[str] = Counter()
    for each in profiles:
        frames.update(each["frames"])
    return frames


def test_speedscope(pyrometer: Run, node: NodeTools, profile: Path, tmp_path: Path) -> None:
    profiles = in_speedscope(node, export(pyrometer, profile, tmp_path / "x.speedscope.json"))
    assert {each["unit"] for each in profiles} == {"nanoseconds"}
    assert sum(each["total"] for each in profiles) == total_of(pyrometer, profile)
    assert +frames_of(profiles) == +tree_self(pyrometer, profile)


VALIDATE = """
const Ajv = require('ajv'), fs = require('fs');
const schema = JSON.parse(fs.readFileSync(process.argv[1], 'utf8'));
const ajv = new Ajv({ strict: false, validateSchema: false });
const validate = ajv.compile({ ...schema, $schema: undefined, $id: undefined });
const valid = validate(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')));
process.stdout.write(valid ? 'valid' : JSON.stringify(validate.errors));
"""


def test_speedscope_schema(pyrometer: Run, node: NodeTools, profile: Path, tmp_path: Path) -> None:
    file = export(pyrometer, profile, tmp_path / "x.speedscope.json")
    schema = node.modules / "speedscope" / "dist" / "release" / "file-format-schema.json"
    assert node.run(VALIDATE, schema, file) == "valid"
    broken = tmp_path / "broken.json"
    broken.write_text(file.read_text().replace('"type":"O"', '"type":"X"'))
    assert node.run(VALIDATE, schema, broken) != "valid"


def test_chrome_in_speedscope(
    pyrometer: Run, node: NodeTools, profile: Path, tmp_path: Path
) -> None:
    file = export(pyrometer, profile, tmp_path / "x.trace.json")
    profiles = in_speedscope(node, file)
    total = sum(each["total"] for each in profiles)
    assert total == pytest.approx(total_of(pyrometer, profile) / 1000, abs=0.01)
    events = json.loads(file.read_text())["traceEvents"]
    assert {event["ph"] for event in events} == {"M", "X"}
    for event in events:
        assert {"name", "pid", "tid"} <= event.keys()
        assert event["ph"] == "M" or (event["ts"] >= 0 and event["dur"] >= 0)


def test_pprof_and_callgrind_in_speedscope(
    pyrometer: Run, node: NodeTools, profile: Path, tmp_path: Path
) -> None:
    [found] = in_speedscope(node, export(pyrometer, profile, tmp_path / "x.pb.gz"))
    assert (found["unit"], found["total"]) == ("nanoseconds", total_of(pyrometer, profile))
    assert +Counter(found["frames"]) == +tree_self(pyrometer, profile)
    if profile.is_dir():
        return  # speedscope finds no beginning where the first function is called again
    [found] = in_speedscope(node, export(pyrometer, profile, tmp_path / "x.callgrind"))
    # It rebuilds a tree from the call graph, with its own idea of recursion.
    assert found["total"] == pytest.approx(total_of(pyrometer, profile), rel=0.02)


# ---- pprof

PPROF = """
const fs = require('fs'), zlib = require('zlib');
const { Profile } = require('pprof-format');
const profile = Profile.decode(zlib.gunzipSync(fs.readFileSync(process.argv[1])));
const text = (index) => profile.stringTable.strings[Number(index)];
const totals = {}, labels = {};
profile.sampleType.forEach((type, column) => {
  const sum = profile.sample.reduce((sum, sample) => sum + BigInt(sample.value[column]), 0n);
  totals[text(type.type) + '/' + text(type.unit)] = sum.toString();
});
for (const sample of profile.sample) {
  for (const label of sample.label) (labels[text(label.key)] ??= {})[text(label.str)] = true;
}
for (const key in labels) labels[key] = Object.keys(labels[key]).sort();
process.stdout.write(JSON.stringify({
  totals, labels, chosen: text(profile.defaultSampleType), functions: profile.function.length }));
"""


def test_pprof_format(pyrometer: Run, node: NodeTools, profile: Path, tmp_path: Path) -> None:
    file = export(pyrometer, profile, tmp_path / "x.pb.gz")
    found = json.loads(node.run(PPROF, file))
    document = read_json(pyrometer("export", profile, "--json"), "export")
    units = {"ns": "nanoseconds", "count": "count", "bytes": "bytes"}
    sums = {
        f"{metric['name']}/{units[metric['unit']]}": str(sum(v for _, _, v in metric["values"]))
        for metric in document["metrics"]
        if metric["values"]
    }
    assert found["totals"] == sums
    assert found["chosen"] == "wall"
    assert found["functions"] == len(document["functions"])
    ranks = sorted(str(p["rank"]) for p in document["processes"] if p["rank"] is not None)
    assert found["labels"].get("rank", []) == ranks


def test_go_tool_pprof(pyrometer: Run, profile: Path, tmp_path: Path) -> None:
    go = shutil.which("go")
    if not go:
        pytest.skip("there is no Go")
    file = export(pyrometer, profile, tmp_path / "x.pb.gz")
    words = ("tool", "pprof", "-top", "-unit=ns", "-nodecount=1000", "-nodefraction=0", file)
    environment = {**os.environ, "PPROF_TMPDIR": str(tmp_path)}
    done = subprocess.run([go, *words], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Type: wall" in done.stdout
    [total] = re.findall(r"accounting for [\d.]+ns, [\d.]+% of ([\d.]+)ns total", done.stdout)
    assert float(total) == total_of(pyrometer, profile)
    rows = re.findall(r"^ *([\d.]+)(?:ns)? +[\d.]+%.*% +(\S.*)$", done.stdout, re.MULTILINE)
    costs: Counter[str] = Counter()
    for own, name in rows:
        costs[name] += int(float(own))
    name, value = tree_self(pyrometer, profile).most_common(1)[0]
    assert costs[name] == value


# ---- the Firefox Profiler


class FirefoxProfiler:
    """Its command line, whose daemon is our child: it would not wait long for one of its own."""

    def __init__(self, node: NodeTools, file: Path, folder: str) -> None:
        self.node = node
        self.cli = node.modules / "@firefox-devtools" / "profiler-cli" / "dist" / "profiler-cli.js"
        self.environment = {**os.environ, "PROFILER_CLI_SESSION_DIR": folder}
        self.daemon = subprocess.Popen(
            [node.node, self.cli, "--daemon", file, "--session", "x"],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, *words: str) -> Any:
        text = self.node.command(self.cli, *words, "--session", "x", "--json", env=self.environment)
        return json.loads(text)

    def wait_for_it(self, folder: str) -> None:
        for _ in range(600):
            if [*Path(folder).glob("*.sock")]:
                self.ask("profile", "info")
                return
            assert self.daemon.poll() is None
            time.sleep(0.1)
        raise AssertionError("the daemon does not begin")


@pytest.fixture
def firefox(pyrometer: Run, node: NodeTools, profile: Path, tmp_path: Path) -> Iterator[Any]:
    file = export(pyrometer, profile, tmp_path / "x.firefox.json")
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket must be short
        profiler = FirefoxProfiler(node, file, folder)
        try:
            profiler.wait_for_it(folder)
            yield profiler
        finally:
            profiler.daemon.kill()
            profiler.daemon.wait()


def test_firefox(pyrometer: Run, profile: Path, firefox: FirefoxProfiler) -> None:
    document = read_json(pyrometer("export", profile, "--json"), "export")
    values = next(m for m in document["metrics"] if m["name"] == "wall")["values"]
    expected: Counter[str] = Counter()
    for _, row, value in values:
        function = document["functions"][document["nodes"][row]["function"]]
        expected[function["qualified_name"] or function["name"]] += value
    found: Counter[str] = Counter()
    for row in range(len(document["threads"])):
        thread = firefox.ask("thread", "functions", "--thread", f"t-{row}", "--include-idle")
        assert thread["weightType"] == "tracing-ms"
        for function in thread["functions"]:
            found[function["name"]] += function["selfSamples"]  # in milliseconds
    assert found.total() == pytest.approx(sum(value for _, _, value in values) / 1e6)
    for name, value in expected.most_common(5):
        assert found[name] == pytest.approx(value / 1e6)
