"""pyrometer ranks: the ranks of jobs whose answers are known."""

import cProfile
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal, read_json
from job_recordings import SECOND, MpiCall, RankOfJob, write_job


def ranks_of(pyrometer: Run, run: Path, *words: object) -> Any:
    return read_json(pyrometer("ranks", run, *words, "--json"), "ranks")


def ids(document: Any) -> list[str]:
    return [finding["id"] for finding in document["findings"]]


def sentence(document: Any, name: str) -> str:
    [found] = [each["sentence"] for each in document["findings"] if each["id"] == name]
    return str(found)


def row_of(rows: list[Any], name: str) -> Any:
    [row] = [row for row in rows if row["name"] == name]
    return row


@pytest.fixture
def late_rank(tmp_path: Path) -> Path:
    """Rank 3 works 8 s where the others work 4, who wait for it in a collective."""
    ranks = []
    for number in range(4):
        wait = 0.01 if number == 3 else 4.01
        ranks.append(
            RankOfJob(
                work={"main:3;solve:61": 8 if number == 3 else 4, "main:4;report:7": 1},
                calls=[MpiCall("main:3;solve:88", "MPI_Allreduce", wait, 0.001, 10, 80)],
                host=f"node{number // 2}",
                attributes={
                    "launcher": "openmpi",
                    "mpi.library": "Open MPI v4.1.4",
                    "cores.host": "2",
                },
            )
        )
    return write_job(tmp_path / "late", ranks)


def test_who_waits_for_whom(pyrometer: Run, late_rank: Path) -> None:
    document = ranks_of(pyrometer, late_rank)
    assert sentence(document, "waiting-for") == (
        "Ranks wait 12.0 s in all in MPI_Allreduce at solve.py:88 (30 % of their time), likely for"
        " rank 3, which works 4.00 s more than the others at solve.py:61."
    )
    [call] = document["mpi"]
    assert call["communicator"] == {"smallest": 4, "largest": 4}
    assert call["caller"] == {"name": "solve", "file": "solve.py", "line": 88}
    assert (call["call"], call["calls"], call["bytes"]) == ("MPI_Allreduce", 40, 320)
    assert call["time_ns"] == pytest.approx(12.04 * SECOND)
    assert call["wait_ns"] == pytest.approx(12 * SECOND)
    assert call["likely_for"]["rank"] == 3
    assert call["likely_for"]["line"] == 61
    assert call["likely_for"]["excess_ns"] == pytest.approx(4 * SECOND)


def test_figures_of_a_function(pyrometer: Run, late_rank: Path) -> None:
    document = ranks_of(pyrometer, late_rank)
    solve = row_of(document["functions"], "solve")
    assert solve["mean"] == 5 * SECOND
    assert solve["deviation"] == pytest.approx(3**0.5 * SECOND)
    assert (solve["minimum"], solve["minimum_rank"]) == (4 * SECOND, 0)
    assert (solve["maximum"], solve["maximum_rank"]) == (8 * SECOND, 3)
    assert solve["imbalance"] == pytest.approx(1.6)
    assert (solve["cost"], solve["share"]) == (3 * SECOND, pytest.approx(0.3))
    assert solve["effective_ranks"] == pytest.approx(400 / 112)
    assert sum(solve["histogram"]["counts"]) == 4
    assert solve["certain"]
    assert row_of(document["functions"], "main")["mean"] == 6 * SECOND
    assert [(row["name"], row["line"]) for row in document["lines"][:1]] == [("solve", 61)]
    assert document["efficiency"]["load_balance"] == pytest.approx(24 / 36)
    assert document["efficiency"]["communication"] == pytest.approx(0.9)
    assert document["job"]["launcher"] == "openmpi"
    assert [host["ranks"] for host in document["hosts"]] == [2, 2]


def test_text(pyrometer: Run, late_rank: Path) -> None:
    result = pyrometer("ranks", late_rank)
    assert (result.returncode, result.stderr) == (0, "")
    head, *rest = result.stdout.split("\n\n")
    assert head.startswith(
        "pyrometer ranks  4 ranks on 2 hosts, started by openmpi, Open MPI v4.1.4\n"
        "  wall 10.0 s, of which ranks work 60.0 %, are in MPI 30.1 %, and wait there 30.0 %\n"
        "  parallel efficiency 60 % = load balance 67 % x communication 90 %; its parts"
        " serialisation and transfer need a trace\n"
    )
    assert "is spread unevenly: rank 3 works 8.00 s in it" in head
    assert [section.partition(" ")[0] for section in rest] == ["Functions", "MPI", "Ranks"]
    assert "rank 3: 4.00 s more at solve.py:61" in rest[1]


def test_views(pyrometer: Run, late_rank: Path) -> None:
    assert "solve.py:61" in pyrometer("ranks", late_rank, "--lines").stdout
    assert "node1" in pyrometer("ranks", late_rank, "--hosts").stdout
    by_rank = pyrometer("ranks", late_rank, "--function", "^solve$").stdout
    assert "solve solve.py:1: mean 5.00 s, sd 1.73 s, min 4.00 s (rank 0), max 8.00 s" in by_rank
    of_rank = pyrometer("ranks", late_rank, "--rank", "3").stdout
    assert "Rank 3 on node1" in of_rank
    document = ranks_of(pyrometer, late_rank, "--function", "solve", "--rank", 3)
    assert [each["value"] / SECOND for each in document["by_rank"][0]["values"]] == [4, 4, 4, 8]
    [main, solve, report] = document["of_rank"]["functions"]
    assert (main["total"], solve["total"], report["total"]) == (9 * SECOND, 8 * SECOND, SECOND)


def test_rows(pyrometer: Run, late_rank: Path) -> None:
    document = ranks_of(pyrometer, late_rank, "--sort", "mean", "--top", 1)
    assert [row["name"] for row in document["functions"]] == ["main"]
    document = ranks_of(pyrometer, late_rank, "--min-share", 50)
    assert [row["name"] for row in document["functions"]] == ["solve", "main"]
    document = ranks_of(pyrometer, late_rank, "--metric", "mpi-wait")
    assert row_of(document["functions"], "solve")["maximum"] == pytest.approx(4 * SECOND)
    assert (document["metric"], document["sampled"]) == ("mpi-wait", False)


def test_report_has_the_findings(pyrometer: Run, late_rank: Path) -> None:
    document = read_json(pyrometer("report", late_rank, "--json"), "report")
    assert {"waiting-for", "imbalance", "efficiency"} <= set(ids(document))


def test_imbalance_of_exactly_1_8(pyrometer: Run, tmp_path: Path) -> None:
    times = [9.0 if number == 5 else 31 / 7 for number in range(8)]
    ranks = [RankOfJob(work={"main:1;solve:61": time, "main:2;rest:5": 5}) for time in times]
    document = ranks_of(pyrometer, write_job(tmp_path / "job", ranks, wall=20))
    assert row_of(document["functions"], "solve")["imbalance"] == pytest.approx(1.8)
    assert "rank 5 works 9.00 s in it" in sentence(document, "imbalance")


def test_balanced_ranks_have_no_imbalance(pyrometer: Run, tmp_path: Path) -> None:
    ranks = [RankOfJob(work={"main:1": 5 + number % 3 * 0.1}) for number in range(8)]
    document = ranks_of(pyrometer, write_job(tmp_path / "job", ranks))
    assert not {"imbalance", "idle-ranks", "serial-line"} & set(ids(document))


def test_few_samples_may_be_noise(pyrometer: Run, tmp_path: Path) -> None:
    ranks = [RankOfJob(work={"main:1": 0.05 + 0.04 * (number == 2)}) for number in range(8)]
    run = write_job(tmp_path / "job", ranks, wall=0.2)
    document = ranks_of(pyrometer, run)
    assert "imbalance" not in ids(document)
    assert not row_of(document["functions"], "main")["certain"]
    assert "noise?" in pyrometer("ranks", run).stdout
    exact = write_job(tmp_path / "exact", ranks, wall=0.2, sampled=False)
    assert "imbalance" in ids(ranks_of(pyrometer, exact))


def test_a_rank_0_only_section(pyrometer: Run, tmp_path: Path) -> None:
    ranks = [RankOfJob(work={"main:1;solve:5": 9}) for _ in range(8)]
    ranks[0].work["main:2;output:45"] = 0.8
    document = ranks_of(pyrometer, write_job(tmp_path / "job", ranks))
    assert document["serial"]["share"] == pytest.approx(0.08)
    assert document["serial"]["ceiling"] == pytest.approx(12.5)
    [line] = document["serial"]["lines"]
    assert (line["name"], line["line"], line["rank"]) == ("output", 45, 0)


def test_12_of_32_ranks_idle(pyrometer: Run, tmp_path: Path) -> None:
    ranks = [RankOfJob(work={"main:1": 9.0 if number < 20 else 1}) for number in range(32)]
    run = write_job(tmp_path / "job", ranks)
    document = ranks_of(pyrometer, run)
    assert document["idle"]["ranks"] == list(range(20, 32))
    assert document["idle"]["core_hours"] == pytest.approx(12 * 9 / 3600)
    assert sentence(document, "idle-ranks").startswith("12 of 32 ranks are idle (20-31)")
    text = pyrometer("ranks", run).stdout
    assert " … " in text
    assert text.count("idle  ") == 3
    assert pyrometer("ranks", run, "--all").stdout.count("idle  ") == 12


def test_shared_cores(pyrometer: Run, tmp_path: Path) -> None:
    ranks = [RankOfJob(work={"main:1": 4}, attributes={"cores.host": "2"}) for _ in range(8)]
    document = ranks_of(pyrometer, write_job(tmp_path / "job", ranks, wall=16))
    assert "oversubscribed" in ids(document)
    assert document["efficiency"]["parallel"] is None
    assert document["efficiency"]["withheld"] == "8 ranks share the 2 cores of node0"
    assert document["job"]["time_ns"] == 4 * SECOND


def test_how_ranks_ended(pyrometer: Run, tmp_path: Path) -> None:
    endings = [0, None, 3, None]
    ranks = [RankOfJob(work={"main:1": 4}, exit_status=status) for status in endings]
    document = ranks_of(pyrometer, write_job(tmp_path / "job", ranks, size=6))
    assert "rank 2 ended with exit status 3" in sentence(document, "rank-ended").lower()
    assert "(1, 3) was killed" in sentence(document, "rank-ended")
    assert "2 of 6 ranks left no recording" in sentence(document, "missing-ranks")
    statuses = [(rank["status"], rank["exit_status"]) for rank in document["ranks"]]
    assert statuses == [("finished", 0), ("killed", None), ("finished", 3), ("killed", None)]


def test_what_cannot_be_read_is_named(pyrometer: Run, tmp_path: Path) -> None:
    run = write_job(tmp_path / "job", [RankOfJob(work={"main:1": 4}) for _ in range(3)])
    broken = sorted(run.rglob("*.pyr"))[1]
    broken.write_bytes(broken.read_bytes()[:100])
    text = pyrometer("ranks", run).stdout
    assert f"! left out: '{broken}' is truncated" in text
    assert "! 1 of 3 ranks left no recording (first: rank 1)." in text


def test_one_rank(pyrometer: Run, tmp_path: Path) -> None:
    run = write_job(tmp_path / "job", [RankOfJob(work={"main:1": 4})])
    document = ranks_of(pyrometer, run)
    assert document["efficiency"]["withheld"] == "there is only one rank"
    assert document["findings"] == []
    assert "No MPI calls were recorded." in pyrometer("ranks", run).stdout


def test_a_merged_file_says_the_same(pyrometer: Run, late_rank: Path, tmp_path: Path) -> None:
    merged = tmp_path / "job.pyro"
    assert pyrometer("merge", late_rank, "-o", merged).returncode == 0
    assert ranks_of(pyrometer, merged)["functions"] == ranks_of(pyrometer, late_rank)["functions"]


def test_refusals(pyrometer: Run, late_rank: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    expect_refusal(pyrometer("ranks", late_rank, "--rank", 9), "has no rank 9", "--all")
    expect_refusal(pyrometer("ranks", late_rank, "--function", "nothing"), "matches nothing")
    expect_refusal(pyrometer("ranks", late_rank, "--sort", "luck"), "no order 'luck'", status=2)
    expect_refusal(pyrometer("ranks", late_rank, "--metric", "luck"), "no metric", status=2)
    expect_refusal(pyrometer("ranks", alone), "not a run directory", status=2)


def test_profiles_without_ranks(pyrometer: Run, tmp_path: Path) -> None:
    profiler = cProfile.Profile()
    profiler.runcall(sum, range(10))
    profiler.dump_stats(tmp_path / "alone.prof")
    result = pyrometer("ranks", tmp_path / "alone.prof")
    expect_refusal(result, "has no ranks", "report --processes", name="alone.prof")
