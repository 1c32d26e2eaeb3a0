"""Counts the lines of the standard library at work, by probes or by a trace function, as JSON.

    line_corpus.py probes|trace AGENT OUTPUT

Both ways do the same work in a process of their own with the same hash seed, so that every line
must be counted equally often, and every result be the same.
"""

import collections
import importlib
import json
import sys
import threading
import types

import line_corpus_work

MODULES = """
_aix_support _collections_abc _compat_pickle _markupbase _pydatetime _pydecimal _pyio _sitebuiltins
_strptime _threading_local _weakrefset abc argparse ast asyncio.base_events asyncio.base_futures
asyncio.base_subprocess asyncio.base_tasks asyncio.coroutines asyncio.events asyncio.futures
asyncio.locks asyncio.protocols asyncio.queues asyncio.runners asyncio.selector_events
asyncio.sslproto asyncio.staggered asyncio.streams asyncio.subprocess asyncio.taskgroups
asyncio.tasks asyncio.threads asyncio.timeouts asyncio.transports asyncio.unix_events base64 bdb
bisect bz2 calendar cmd code codecs codeop collections colorsys compileall
concurrent.futures._base concurrent.futures.process concurrent.futures.thread configparser
contextlib contextvars copy copyreg csv ctypes.util dataclasses datetime decimal difflib dis
doctest email._encoded_words email._header_value_parser email._parseaddr email._policybase
email.base64mime email.charset email.contentmanager email.encoders email.errors email.feedparser
email.generator email.header email.headerregistry email.iterators email.message
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
""".split()


def functions_of(module):
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            for member in list(vars(value).values()):
                if isinstance(member, property):
                    yield from (member.fget, member.fset, member.fdel)
                else:
                    yield getattr(member, "__func__", getattr(member, "__wrapped__", member))
        else:
            yield getattr(value, "__wrapped__", value)


def find_functions():
    """Of the modules' own files, by code: several functions can share one."""
    found = collections.defaultdict(list)
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for function in functions_of(module):
            if not isinstance(function, types.FunctionType):
                continue
            if function.__module__ != name or function in found[function.__code__]:
                continue
            found[function.__code__].append(function)
    return {code: functions for code, functions in found.items() if functions}


def key_of(code):
    return f"{code.co_filename}:{code.co_firstlineno}:{code.co_qualname}"


def count_by_trace(functions):
    wanted = set(functions)
    counts = collections.Counter()

    def trace(frame, event, _):
        if frame.f_code not in wanted:
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
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    loader = ExtensionFileLoader("pyrometer._agent", path)
    spec = spec_from_file_location("pyrometer._agent", path, loader=loader)
    agent = module_from_spec(spec)
    loader.exec_module(agent)
    return agent


def count_by_probes(functions, agent):
    times = load_agent(agent).LineTimes()
    refused = {}
    for code, sharing in functions.items():
        try:
            rewritten = times.rewrite(code)
        except ValueError as error:
            refused[key_of(code)] = str(error)
            continue
        for function in sharing:
            function.__code__ = rewritten
    results = line_corpus_work.run()
    for code, sharing in functions.items():
        for function in sharing:
            function.__code__ = code
    counts = collections.Counter()
    for code, _, rows in times.stats():
        for line, hits, _, _ in rows:
            counts[code, line] += hits
    return results, counts, refused


def main():
    way, agent, output = sys.argv[1:]
    line_corpus_work.run()  # caches and lazy imports
    functions = find_functions()
    if way == "trace":
        results, counts, refused = count_by_trace(functions)
    else:
        results, counts, refused = count_by_probes(functions, agent)
    hits = collections.defaultdict(dict)
    for (code, line), count in sorted(counts.items(), key=lambda item: item[0][1]):
        row = hits[key_of(code)]
        row[line] = row.get(line, 0) + count
    answer = {"functions": len(functions), "results": results, "refused": refused, "hits": hits}
    with open(output, "w") as file:
        json.dump(answer, file)


main()
