"""pyrometer graph: options, pictures by Graphviz, one per rank, and what it refuses."""

import marshal
import os
import pty
import resource
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import ROOT, MakeRun, Run, expect_refusal, read_json, recordings_in
from dot_reader import Dot, label_lines, read_dot, times

SVG = "{http://www.w3.org/2000/svg}"

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not here")


def draw(pyrometer: Run, *words: object) -> Dot:
    result = pyrometer("graph", *words)
    assert (result.returncode, result.stderr) == (0, "")
    return read_dot(result.stdout)


def graph(pyrometer: Run, *words: object) -> Any:
    return read_json(pyrometer("graph", *words, "--json"), "graph")


def make_prof(path: Path, functions: int) -> Path:
    """A program of that many functions, none too light to be seen, each called by three."""
    names = [(f"/x/module{n % 10}.py", n + 1, f"function_{n}") for n in range(functions)]
    content = {}
    for n, name in enumerate(names):
        callers = {names[n // k]: (k, k, 0.001, 0.01) for k in (2, 3, 5) if n > 0}
        content[name] = (5, 10, 0.001, 0.001 * functions / (1 + n / 100), callers)
    path.write_bytes(marshal.dumps(content))
    return path


# ---- any profile


def test_recordings_and_their_merged_file_are_drawn_alike(
    pyrometer: Run, run_directory: Path, tmp_path: Path
) -> None:
    merged = tmp_path / "run.pyro"
    assert pyrometer("merge", run_directory, "-o", merged).returncode == 0
    drawn = [draw(pyrometer, profile, "-n", 2) for profile in (run_directory, merged)]
    assert drawn[0] == drawn[1]
    assert 10 < len(drawn[0].nodes) <= 100


def test_figures_are_those_of_the_report(pyrometer: Run, run_directory: Path) -> None:
    for metric in ("wall", "samples"):
        words = (run_directory, "--metric", metric)
        report = read_json(pyrometer("report", *words, "--json"), "report")
        drawn = graph(pyrometer, *words, "-n", 0, "-e", 0, "--max-nodes", 0)
        assert (drawn["metric"], drawn["unit"]) == (metric, report["unit"])
        shown = {f["function"]: f["figures"][0] for f in drawn["functions"]}
        assert len(shown) == len(report["functions"])
        for function in report["functions"]:
            figures = shown[function["qualified_name"] or function["name"]]
            assert (figures["self"], figures["total"]) == (function["self"], function["total"])
            assert figures["self_share"] == pytest.approx(
                function["self"] / report["totals"]["self"], abs=1e-9
            )


def test_samples_are_shown_on_request(pyrometer: Run, run_directory: Path) -> None:
    words = (run_directory, "--metric", "samples", "-n", 0, "--max-nodes", 0)
    plain, sampled = draw(pyrometer, *words), draw(pyrometer, *words, "--show-samples")
    drawn = graph(pyrometer, *words)
    for number, function in enumerate(drawn["functions"]):
        [figures] = function["figures"]
        lines = label_lines(sampled.nodes[str(number)])
        expected = [times(figures["samples"])] if figures["samples"] else []
        assert lines[3 : 3 + len(expected)] == expected
        assert len(lines) == len(label_lines(plain.nodes[str(number)])) + len(expected)


def test_counts_below_zero_are_unknown(pyrometer: Run, tmp_path: Path) -> None:
    # pyinstrument's file has -1 calls of everything.
    file = ROOT / "tests" / "corpus" / "pstats" / "numeric-pyinstrument.prof"
    document = read_json(pyrometer("graph", file, "--json"), "graph")
    rows = [*document["functions"], *document["calls"]]
    assert {row["figures"][0]["calls"] for row in rows} == {0}
    stacks = tmp_path / "difference.txt"
    stacks.write_text("main;solve -5\nmain;save 7\n")
    read_json(pyrometer("graph", stacks, "--json"), "graph")


def test_times(pyrometer: Run, prof_file: Path) -> None:
    words = ("--node-label", "total-time", "--time-format", "%.9f")
    dot = draw(pyrometer, prof_file, *words)
    for function, node in zip(
        graph(pyrometer, prof_file)["functions"], dot.nodes.values(), strict=True
    ):
        assert label_lines(node)[1] == f"{function['figures'][0]['total'] / 1e9:.9f}"


# ---- what is left out


def test_the_heaviest_hundred(pyrometer: Run, tmp_path: Path) -> None:
    file = make_prof(tmp_path / "many.prof", 1000)
    result = pyrometer("graph", file, "-n", 0)
    assert len(read_dot(result.stdout).nodes) == 100
    assert result.stderr == (
        "pyrometer: the graph shows the 100 heaviest of 1,000 functions; --max-nodes 0 shows all "
        "(Graphviz may take minutes), -n 1 or --root NAME leave out more\n"
    )
    drawn = graph(pyrometer, file, "-n", 0, "--max-nodes", 7)
    assert [f["function"] for f in drawn["functions"]] == [f"function_{n}" for n in range(7)]
    assert drawn["hidden"] == {"too_light": 0, "elsewhere": 0, "unrelated": 0, "too_many": 993}
    assert len(draw(pyrometer, file, "-n", 0, "--max-nodes", 0).nodes) == 1000


def test_roots_by_function_name(pyrometer: Run, tmp_path: Path) -> None:
    file = make_prof(tmp_path / "many.prof", 60)
    everything = (file, "-n", 0, "-e", 0)
    names = draw(pyrometer, *everything, "--root", "function_20").names()
    assert names == {"module0:21:function_20", "module0:41:function_40", "module1:42:function_41"}
    near = draw(pyrometer, *everything, "--leaf", "module0:21:*", "--depth", 1).names()
    assert near == {
        *("module0:21:function_20", "module0:11:function_10", "module6:7:function_6"),
        "module4:5:function_4",
    }
    assert len(draw(pyrometer, *everything, "--depth", 1).nodes) == 5


def test_list_functions(pyrometer: Run, tmp_path: Path) -> None:
    file = make_prof(tmp_path / "many.prof", 300)
    assert len(pyrometer("graph", file, "-n0", "--list-functions", "+").stdout.splitlines()) == 300
    listed = pyrometer("graph", file, "--list-functions", "module3*").stdout.splitlines()
    assert listed[:2] == ["module3:4:function_3", "module3:14:function_13"]
    details = pyrometer("graph", file, "--list-functions", "%function_3").stdout
    assert details == (
        "module3:4:function_3\ttotal 291 ms (97.09%)\tself 1.00 ms (0.33%)\t10 calls"
        "\t/x/module3.py\n"
    )


def test_an_empty_graph_says_so(pyrometer: Run, prof_file: Path) -> None:
    result = pyrometer("graph", prof_file, "-n", 101)
    assert read_dot(result.stdout) == Dot({}, {})
    assert result.stderr.startswith("pyrometer: the graph is empty: all ")


# ---- comparisons


def test_compare(pyrometer: Run, tmp_path: Path) -> None:
    main, f, g, h = [("/x/m.py", n, name) for n, name in enumerate(("main", "f", "g", "h"), 1)]
    f_moved = ("/x/m.py", 77, "f")
    before, after = tmp_path / "before.prof", tmp_path / "after.prof"
    before.write_bytes(
        marshal.dumps(
            {
                main: (1, 1, 0.2, 1.0, {}),
                f: (4, 4, 0.5, 0.5, {main: (4, 4, 0.5, 0.5)}),
                g: (1, 1, 0.3, 0.3, {main: (1, 1, 0.3, 0.3)}),
            }
        )
    )
    after.write_bytes(
        marshal.dumps(
            {
                main: (1, 1, 0.2, 1.0, {}),
                f_moved: (9, 9, 0.7, 0.7, {main: (9, 9, 0.7, 0.7)}),
                h: (1, 1, 0.1, 0.1, {main: (1, 1, 0.1, 0.1)}),
            }
        )
    )
    dot = draw(pyrometer, "--compare", before, after)
    assert label_lines(dot.node("m:1:main")) == ["m:1:main", "100.00%", "(20.00%)", times(1, 1)]
    slower = dot.node("m:2:f")
    assert label_lines(slower)[1:] == ["50.00% + 20.000%", "(50.00%) + 20.000%", times(4, 9)]
    assert slower["shape"] == "cds"
    assert label_lines(dot.node("m:3:g"))[1:3] == ["only in the first", "30.00% - 30.000%"]
    assert dot.node("m:3:g")["orientation"] == "90"
    assert label_lines(dot.node("m:4:h"))[1:3] == ["only in the second", "0.00% + 10.000%"]
    labels = {callee: label_lines(edge) for _, callee, edge in dot.arrows()}
    assert labels["m:2:f"] == ["50.00% / 70.00%", times(4, 9)]
    faster = draw(pyrometer, "--compare", "--compare-only-faster", before, after)
    assert "shape" not in faster.node("m:2:f")
    colored = draw(pyrometer, "--compare", "--compare-color-by-difference", before, after)
    assert colored.node("m:3:g")["color"] == "#ff0000"
    assert colored.node("m:1:main")["color"] == "#0d0d73"
    document = graph(pyrometer, "--compare", before, after)
    sides = {f["function"]: f["figures"] for f in document["functions"]}
    assert sides["g"][1] is None
    assert sides["h"][0] is None
    expect_refusal(pyrometer("graph", "--compare", before), "two profiles", status=2)


# ---- pictures


@needs_graphviz
def test_pictures(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "dot": b"digraph", "ps": b"%!PS"}
    for extension, start in starts.items():
        output = tmp_path / f"g.{extension}"
        result = pyrometer("graph", prof_file, "-o", output)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        assert output.read_bytes().startswith(start)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"g.{e}" for e in starts)
    texts = {text.text for text in ElementTree.parse(tmp_path / "g.svg").iter(f"{SVG}text")}
    assert {label_lines(n)[0] for n in draw(pyrometer, prof_file).nodes.values()} <= texts


@needs_graphviz
def test_a_thousand_functions_take_seconds(pyrometer: Run, tmp_path: Path) -> None:
    file = make_prof(tmp_path / "many.prof", 1000)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert pyrometer("graph", file, "-o", tmp_path / "g.svg").returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)  # with Graphviz, which it waits for
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 10
    assert sum(1 for _ in ElementTree.parse(tmp_path / "g.svg").iter(f"{SVG}polygon")) > 100


@needs_graphviz
def test_hostile_names_stay_text(pyrometer: Run, tmp_path: Path) -> None:
    names = ['"];a->b;', "\\N", "<script>", "\x1b[31m", "x" * 50_000, "]]>", "&amp;", "a\nb"]
    content = {("/x.py", n, name): (1, 1, 1.0, 1.0, {}) for n, name in enumerate(names)}
    file = tmp_path / "hostile.prof"
    file.write_bytes(marshal.dumps(content))
    result = pyrometer("graph", file, "-o", tmp_path / "g.svg")
    assert (result.returncode, result.stderr) == (0, "")
    page = ElementTree.parse(tmp_path / "g.svg")
    boxes = [g for g in page.iter(f"{SVG}g") if g.get("class") == "node"]
    assert len(boxes) == len(names)
    assert not list(page.iter(f"{SVG}script"))


@needs_graphviz
def test_what_graphviz_refuses(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    result = pyrometer("graph", prof_file, "-o", tmp_path / "g.xyz")
    expect_refusal(result, "Graphviz cannot draw", "g.xyz", "not recognized")
    result = pyrometer("graph", prof_file, "-o", tmp_path / "no" / "g.svg")
    expect_refusal(result, "cannot write")
    assert list(tmp_path.iterdir()) == []


def test_without_graphviz(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    nowhere = {**os.environ, "PATH": str(tmp_path)}
    result = pyrometer("graph", prof_file, "-o", tmp_path / "g.svg", env=nowhere)
    expect_refusal(result, "apt install graphviz", "-o graph.dot")
    assert list(tmp_path.iterdir()) == []
    result = pyrometer("graph", prof_file, "-o", tmp_path / "g.dot", env=nowhere)
    assert result.returncode == 0
    assert read_dot((tmp_path / "g.dot").read_text()).nodes


def test_on_a_terminal(executable: Path, prof_file: Path) -> None:
    ours, theirs = pty.openpty()
    command = [executable, "graph", prof_file]
    result = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(theirs)
    os.close(ours)
    assert result.returncode == 2
    assert "-o graph.svg" in result.stderr


def test_refusals(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    for words, said in {
        ("-o", "graph"): "does not say what to draw",
        ("-c", "rainbow"): "choose one of color, pink, gray, bw, print, safe",
        ("--skew", "0"): "must be above 0",
        ("--time-format", "%s"): "is no format for a time",
        ("--node-label", "calls"): "there is no label 'calls'",
        ("--max-nodes", "-1"): "must be 0 or more",
        ("--json", "-o", "g.svg"): "must end in .json",
        ("--per-rank",): "-o 'graph-%r.svg'",
        ("--compare-only-slower",): "--compare",
        ("--per-rank", "--compare"): "--compare",
        ("--metric", "cpu"): "it has wall",
    }.items():
        result = pyrometer("graph", prof_file, *words)
        assert result.returncode == 2, words
        assert said in result.stderr, words
        assert result.stdout == ""
    result = pyrometer("graph", prof_file, "--root", "nobody")
    expect_refusal(result, "no function in the graph is called 'nobody'", "-n 0 -e 0")
    (tmp_path / "x.prof").write_bytes(b"{garbage")
    expect_refusal(pyrometer("graph", tmp_path / "x.prof"), name="x.prof")
    expect_refusal(pyrometer("graph", tmp_path / "none.prof"), "does not exist")


# ---- one per rank


def test_per_rank(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    merged = tmp_path / "run.pyro"
    assert pyrometer("merge", run_directory, "-o", merged).returncode == 0
    recordings = recordings_in(run_directory)
    for profile in (run_directory, merged):
        pattern = tmp_path / profile.stem / "g-%r.json"
        pattern.parent.mkdir(exist_ok=True)
        result = pyrometer("graph", profile, "--per-rank", "-o", pattern)
        assert result.stderr == ""
        names = [str(pattern).replace("%r", str(rank)) for rank in range(3)]
        assert result.stdout.splitlines() == names
        for name, recording in zip(names, recordings, strict=True):
            alone = pyrometer("graph", recording, "--json").stdout
            assert Path(name).read_text() == alone


@needs_graphviz
def test_per_file(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    files = [shutil.copy(prof_file, tmp_path / f"out-{n}.prof") for n in range(3)]
    result = pyrometer("graph", "out-*.prof", "--per-rank", "-o", "g.svg", cwd=tmp_path)
    assert result.stdout == "g-out-0.svg\ng-out-1.svg\ng-out-2.svg\n"
    assert all(ElementTree.parse(tmp_path / name) for name in result.stdout.split())
    (tmp_path / "sub").mkdir()
    twin = shutil.copy(prof_file, tmp_path / "sub" / "out-0.prof")
    result = pyrometer("graph", files[0], twin, "--per-rank", "-o", "%n.dot", cwd=tmp_path)
    assert result.stdout == "1.dot\n2.dot\n"
    result = pyrometer("graph", files[0], twin, "--per-rank", "-o", "%f.dot", cwd=tmp_path)
    expect_refusal(result, "put %n", status=2)
    result = pyrometer("graph", files[0], twin, "--per-rank", "-o", "g-%r.dot", cwd=tmp_path)
    expect_refusal(result, "these profiles have no ranks", status=2)


def test_per_rank_of_a_run_with_a_broken_file(
    pyrometer: Run, make_run: MakeRun, tmp_path: Path
) -> None:
    run = make_run(tmp_path / "run", ranks=3, nodes=40, samples=50)
    broken = recordings_in(run)[1]
    broken.write_bytes(b"garbage")
    result = pyrometer("graph", run, "--per-rank", "-o", tmp_path / "g.dot")
    assert result.returncode == 0
    assert result.stderr.startswith("pyrometer: left out: ")
    assert result.stdout.split() == [str(tmp_path / f"g-rank{rank}.dot") for rank in (0, 2)]


def test_per_rank_stops_at_what_cannot_be_drawn(
    pyrometer: Run, run_directory: Path, tmp_path: Path
) -> None:
    nowhere = {**os.environ, "PATH": str(tmp_path)}
    words = ("graph", run_directory, "--per-rank", "-o", tmp_path / "g.svg")
    expect_refusal(pyrometer(*words, env=nowhere), "apt install graphviz")
    assert list(tmp_path.iterdir()) == []
