"""pyrometer dump: every record of a recording, as it stands in the file."""

import json
import re
from pathlib import Path
from typing import Any

import recordings
from conftest import Run, expect_refusal, read_json, recordings_in

NAMES = {
    recordings.STRING: "string",
    recordings.CODE: "code",
    recordings.THREAD: "thread",
    recordings.METRIC: "metric",
    recordings.NODES: "nodes",
    recordings.SAMPLES: "samples",
    recordings.CHECKPOINT: "checkpoint",
    recordings.ATTRIBUTE: "attribute",
    recordings.END: "end",
}


def dump(pyrometer: Run, *files: object) -> list[Any]:
    result = pyrometer("dump", *files, "--json")
    assert (result.returncode, result.stderr) == (0, "")
    dumped: list[Any] = json.loads(result.stdout)["recordings"]
    return dumped


def dump_text(pyrometer: Run, file: Path) -> str:
    result = pyrometer("dump", file)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_every_record_once(pyrometer: Run, recording: Path) -> None:
    (dumped,) = read_json(pyrometer("dump", recording, "--json"), "dump")["recordings"]
    expected = [NAMES[frame.kind] for frame in recordings.frames_of(recording.read_bytes())]
    assert set(expected) == set(NAMES.values())
    assert [record["type"] for record in dumped["records"]] == expected
    assert [record["sequence"] for record in dumped["records"]] == list(range(len(expected)))
    assert (dumped["end"], dumped["damage"]) == ("complete", "")
    assert dumped["header"]["host"] == "synthetic"
    assert dumped["header"]["rank"] == 0
    assert dumped["header"]["world_size"] == 3

    lines = dump_text(pyrometer, recording).splitlines()
    assert lines[0] == str(recording)
    found = [re.match(r" *(\d+)  ([a-z-]+)(  |$)", line) for line in lines]
    assert [(int(match[1]), match[2]) for match in found if match] == list(enumerate(expected))
    assert lines[-1] == "  end: complete"
    rows = sum(len(record.get("rows", ())) for record in dumped["records"])
    assert len([line for line in lines if line.startswith("        ")]) == rows


def test_rows_add_up_to_the_report(pyrometer: Run, recording: Path) -> None:
    (dumped,) = dump(pyrometer, recording)
    rows = {
        kind: [row for each in dumped["records"] if each["type"] == kind for row in each["rows"]]
        for kind in ("nodes", "samples", "checkpoint")
    }
    assert len(rows["nodes"]) == 120
    assert len(rows["samples"]) == 300
    document = read_json(pyrometer("report", recording, "--json"), "report")
    assert sum(row[1] for row in rows["checkpoint"]) == document["totals"]["self"]


def test_run_directory_is_all_its_recordings(pyrometer: Run, run_directory: Path) -> None:
    dumped = dump(pyrometer, run_directory)
    assert [each["file"] for each in dumped] == [str(path) for path in recordings_in(run_directory)]
    text = dump_text(pyrometer, run_directory)
    assert text.count("  end: complete\n") == 3


def test_how_a_recording_ends(pyrometer: Run, recording: Path, tmp_path: Path) -> None:
    whole = recording.read_bytes()
    damaged = bytearray(recordings.killed(whole))
    damaged[-1] ^= 1
    endings = {
        "killed": recordings.killed(whole),
        "truncated": whole[:-1],
        "damaged": bytes(damaged),
    }
    full = len(list(recordings.frames_of(whole)))
    for end, content in endings.items():
        file = tmp_path / f"{end}.pyr"
        file.write_bytes(content)
        (dumped,) = dump(pyrometer, file)
        assert dumped["end"] == end
        assert len(dumped["records"]) == full - (2 if end == "damaged" else 1)
        assert ("byte" in dumped["damage"]) == (end == "damaged")
        assert f"\n  end: {end}" in dump_text(pyrometer, file)
        (process,) = read_json(pyrometer("report", file, "--json"), "report")["processes"]
        assert process["status"] == end
        report = pyrometer("report", file, "--processes")
        assert f"   {end}   " in report.stdout
        assert f"{end}.pyr" in report.stdout


def test_unknown_records_are_named_so(pyrometer: Run, tmp_path: Path) -> None:
    file = tmp_path / "newer.pyr"
    later = (200, b"whatever a later version says")
    known = (recordings.ATTRIBUTE, recordings.sized(b"key") + recordings.sized(b"value\x1b[31m"))
    file.write_bytes(recordings.recording(known, later, known))
    (dumped,) = read_json(pyrometer("dump", file, "--json"), "dump")["recordings"]
    assert [record["type"] for record in dumped["records"]] == ["attribute", "unknown", "attribute"]
    assert dumped["end"] == "killed"
    assert "\x1b" not in dump_text(pyrometer, file)


def test_only_recordings_can_be_dumped(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    for wrong in (prof_file, tmp_path / "missing.pyr"):
        for flags in ([], ["--json"]):
            expect_refusal(pyrometer("dump", wrong, *flags), name=wrong.name)
    expect_refusal(pyrometer("dump", tmp_path), name=str(tmp_path), status=2)
