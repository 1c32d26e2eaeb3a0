"""Counts the lines of the standard library at work, in one of several ways, as JSON.

    line_corpus.py plain|trace|probes|events AGENT OUTPUT

Each way does the same work in a process of its own with the same hash seed, so that every line
must be counted equally often, and every result be the same.
"""

import collections
import gc
import importlib
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import threading
import types

import line_corpus_calls
import line_corpus_work

MODULES = line_corpus_calls.words("""
_aix_support _collections_abc _compat_pickle _markupbase _pydatetime _pydecimal _pyio
_sitebuiltins _strptime _threading_local _weakrefset abc argparse ast asyncio.base_events
asyncio.base_futures asyncio.base_subprocess asyncio.base_tasks asyncio.coroutines asyncio.events
asyncio.futures asyncio.locks asyncio.protocols asyncio.queues asyncio.runners
asyncio.selector_events asyncio.sslproto asyncio.staggered asyncio.streams asyncio.subprocess
asyncio.taskgroups asyncio.tasks asyncio.threads asyncio.timeouts asyncio.transports
asyncio.unix_events base64 bdb bisect bz2 calendar cmd code codecs codeop collections colorsys
compileall concurrent.futures._base concurrent.futures.process concurrent.futures.thread
configparser contextlib contextvars copy copyreg csv ctypes.util dataclasses datetime decimal
difflib dis doctest email._encoded_words email._header_value_parser email._parseaddr
email._policybase email.base64mime email.charset email.contentmanager email.encoders email.errors
email.feedparser email.generator email.header email.headerregistry email.iterators email.message
email.mime.base email.mime.multipart email.mime.text email.parser email.policy email.quoprimime
email.utils enum filecmp fileinput fnmatch fractions ftplib functools genericpath getopt getpass
gettext glob graphlib gzip hashlib heapq hmac html html.entities html.parser http http.client
http.cookiejar http.cookies http.server imaplib importlib.metadata importlib.resources
importlib.util inspect io ipaddress json json.decoder json.encoder json.scanner keyword linecache
locale logging logging.config logging.handlers lzma mailbox mimetypes modulefinder
multiprocessing.connection multiprocessing.context multiprocessing.managers multiprocessing.pool
multiprocessing.process multiprocessing.queues multiprocessing.reduction
multiprocessing.synchronize multiprocessing.util netrc nturl2path ntpath numbers opcode operator
optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posixpath pprint
profile pstats pty py_compile pyclbr pydoc queue quopri random reprlib rlcompleter runpy sched
secrets selectors shelve shlex shutil signal smtplib socket socketserver sqlite3.dump ssl stat
statistics string stringprep struct subprocess symtable sysconfig tabnanny tarfile tempfile
textwrap threading timeit token tokenize tomllib._parser trace traceback tracemalloc tty types
typing unittest.case unittest.loader unittest.main unittest.mock unittest.result unittest.runner
unittest.suite unittest.util urllib.error urllib.parse urllib.request urllib.response
urllib.robotparser uuid warnings wave weakref webbrowser wsgiref.handlers wsgiref.headers
wsgiref.simple_server wsgiref.util wsgiref.validate xml.dom.minidom xml.etree.ElementTree
xml.etree.ElementPath xml.sax.handler xml.sax.saxutils xml.sax.xmlreader xmlrpc.client
xmlrpc.server zipapp zipfile zipimport zoneinfo._common zoneinfo._zoneinfo
""")


def members_of(module):
    for value in list(vars(module).values()):
        yield value
        if isinstance(value, type) and value.__module__ == module.__name__:
            for member in list(vars(value).values()):
                if isinstance(member, property):
                    yield from (member.fget, member.fset, member.fdel)
                else:
                    yield getattr(member, "__func__", getattr(member, "func", member))


def find_functions():
    """The code of the modules' functions and methods."""
    found = {}
    for name in sorted({*MODULES, *line_corpus_calls.MODULES}):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for member in members_of(module):
            for function in (member, getattr(member, "__dict__", {}).get("__wrapped__")):
                is_function = isinstance(function, types.FunctionType)
                if is_function and function.__code__.co_filename == module.__file__:
                    found[function.__code__] = None
    return list(found)


def with_inner(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from with_inner(constant)


def key_of(code):
    return f"{code.co_filename}:{code.co_firstlineno}:{code.co_qualname}"


def count_by_trace(codes):
    wanted = {id(inner) for code in codes for inner in with_inner(code)}
    counts = collections.Counter()

    def trace(frame, event, _):
        if id(frame.f_code) not in wanted:
            return None
        if event == "line":
            counts[frame.f_code, frame.f_lineno] += 1
        return trace

    threading.settrace(trace)
    sys.settrace(trace)
    results = line_corpus_work.run()
    sys.settrace(None)
    threading.settrace(None)
    return results, counts, {}


def load_agent(path):
    loader = importlib.machinery.ExtensionFileLoader("pyrometer._agent", path)
    spec = importlib.util.spec_from_file_location("pyrometer._agent", path, loader=loader)
    agent = importlib.util.module_from_spec(spec)
    loader.exec_module(agent)
    return agent


def counts_of(times):
    counts = collections.Counter()
    for code, _, rows in times.stats():
        for line, hits, _, _ in rows:
            counts[code, line] += hits
    return counts


class Rewriter:
    """Puts probes into code and all the code inside it."""

    def __init__(self, times):
        self.times = times
        self.refused = {}
        self.rewritten = {}  # by address of the original

    def rewrite(self, code):
        constants = tuple(
            self.rewrite(each) if isinstance(each, types.CodeType) else each
            for each in code.co_consts
        )
        changed = code
        if any(new is not old for new, old in zip(constants, code.co_consts, strict=True)):
            changed = code.replace(co_consts=constants)
        try:
            changed = self.times.rewrite(changed)
        except ValueError as error:
            self.refused[key_of(code)] = str(error)
            self.times.watch(changed)  # as the recording does
        self.rewritten[id(code)] = changed
        return changed


def count_by_probes(codes, agent):
    times = agent.LineTimes()
    rewriter = Rewriter(times)
    for code in codes:
        rewriter.rewrite(code)
    # Also those that were made earlier from code inside other functions.
    functions = [each for each in gc.get_objects() if isinstance(each, types.FunctionType)]
    originals = [
        (each, each.__code__) for each in functions if id(each.__code__) in rewriter.rewritten
    ]
    for function, code in originals:
        function.__code__ = rewriter.rewritten[id(code)]
    results = line_corpus_work.run()
    for function, code in originals:
        function.__code__ = code
    return results, counts_of(times), rewriter.refused


def count_by_events(codes, agent):
    times = agent.LineTimes()
    for code in codes:
        for inner in with_inner(code):
            times.watch(inner)
    results = line_corpus_work.run()
    for code in codes:
        for inner in with_inner(code):
            times.unwatch(inner)
    return results, counts_of(times), {}


def main():
    way, agent_file, output = sys.argv[1:]
    agent = load_agent(agent_file)
    line_corpus_work.run()  # caches and lazy imports
    codes = find_functions()
    gc.disable()  # it would come at other times
    if way == "plain":
        results, counts, refused = line_corpus_work.run(), {}, {}
    elif way == "trace":
        results, counts, refused = count_by_trace(codes)
    elif way == "probes":
        results, counts, refused = count_by_probes(codes, agent)
    else:
        results, counts, refused = count_by_events(codes, agent)
    hits = collections.defaultdict(collections.Counter)
    for (code, line), count in counts.items():
        hits[key_of(code)][line] += count
    answer = {
        "functions": sorted(map(key_of, codes)),
        "results": results,
        "refused": refused,
        "hits": hits,
    }
    pathlib.Path(output).write_text(json.dumps(answer))


if __name__ == "__main__":
    main()
