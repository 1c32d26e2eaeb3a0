"""Makes the files of the corpus again: tests/corpus/make [FORMAT...] [--python 3.12=PATH]."""

import argparse
import sys

import make_callgrind
import make_chrome
import make_collapsed
import make_firefox
import make_line_profiler
import make_memory_profiler
import make_memray
import make_pprof
import make_pstats
import make_speedscope
import make_tau
from workshop import CORPUS, MANIFEST, Workshop, find_pythons, read_manifest, write_manifest

# What each makes is one format, the name of a folder.
MAKERS = {
    "pstats": make_pstats.make,
    "lprof": make_line_profiler.make_files,
    "line_profiler_text": make_line_profiler.make_texts,
    "memory_profiler_text": make_memory_profiler.make_texts,
    "mprof": make_memory_profiler.make_dat_files,
    "collapsed": make_collapsed.make,
    "speedscope": make_speedscope.make,
    "chrome": make_chrome.make,
    "pprof": make_pprof.make,
    "callgrind": make_callgrind.make,
    "firefox": make_firefox.make,
    "memray": make_memray.make,
    "tau": make_tau.make,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=", ".join(MAKERS))
    parser.add_argument("--python", action="append", default=[], metavar="VERSION=PATH")
    arguments = parser.parse_args()
    formats = arguments.formats or list(MAKERS)
    if unknown := set(formats) - set(MAKERS):
        parser.error(f"there is no format {', '.join(sorted(unknown))}")
    workshop = Workshop(find_pythons(arguments.python))
    for name in formats:
        print(name, flush=True)
        MAKERS[name](workshop)
        update_manifest(workshop)
    print(f"{len(workshop.entries)} files made, {len(workshop.missing)} left out")
    return 0


def update_manifest(workshop: Workshop) -> None:
    """Entries of files that are gone go too."""
    made = {entry["file"] for entry in workshop.entries}
    old = read_manifest() if MANIFEST.exists() else []
    kept = [e for e in old if e["file"] not in made and (CORPUS / e["file"]).exists()]
    write_manifest(kept + workshop.entries)


if __name__ == "__main__":
    sys.exit(main())
