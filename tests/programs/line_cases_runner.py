"""Runs the cases of a file in four ways and prints, as JSON, what each did and counted.

line_cases_runner.py AGENT
"""

import collections
import json
import pathlib
import sys
import threading
import traceback

from line_corpus import Rewriter, load_agent, with_inner


def outcome_of(function):
    try:
        return repr(function())
    except Exception as error:
        error.__traceback__ = error.__traceback__.tb_next
        return traceback.format_exc()


def cases_of(code):
    names = {"__name__": "line_cases"}
    exec(code, names)
    return {name: each for name, each in names.items() if name.startswith("case_")}


def run_plainly(code):
    return {name: (outcome_of(function), {}) for name, function in cases_of(code).items()}


def run_with_trace(code):
    found = {}
    counts = collections.Counter()

    def trace(frame, event, _):
        if frame.f_code.co_filename != code.co_filename:
            return None
        if event == "line":
            counts[frame.f_lineno] += 1
        return trace

    for name, function in cases_of(code).items():
        counts.clear()
        threading.settrace(trace)
        sys.settrace(trace)
        outcome = outcome_of(function)
        sys.settrace(None)
        threading.settrace(None)
        found[name] = outcome, dict(counts)
    return found


def run_measured(code, times):
    found = {}
    for name, function in cases_of(code).items():
        times.clear()
        outcome = outcome_of(function)
        counts = collections.Counter()
        for _, _, rows in times.stats():
            for line, hits, _, _ in rows:
                counts[line] += hits
        found[name] = outcome, dict(counts)
    return found


def run_with_probes(code, agent):
    times = agent.LineTimes()
    rewriter = Rewriter(times)
    found = run_measured(rewriter.rewrite(code), times)
    return found, rewriter.refused


def run_with_events(code, agent):
    times = agent.LineTimes()
    watched = list(with_inner(code))
    for each in watched:
        times.watch(each)
    found = run_measured(code, times)
    for each in watched:
        times.unwatch(each)
    return found


def main():
    agent = load_agent(sys.argv[1])
    file = sys.argv[2]
    code = compile(pathlib.Path(file).read_text(), file, "exec")
    probes, refused = run_with_probes(code, agent)
    answer = {
        "plain": run_plainly(code),
        "trace": run_with_trace(code),
        "probes": probes,
        "events": run_with_events(code, agent),
        "refused": refused,
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
