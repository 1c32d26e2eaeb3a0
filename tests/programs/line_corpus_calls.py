"""Calls the functions and methods of pure modules with simple arguments, one after the other.

Most calls end in an exception, often deep inside: its type is the result. Left out is what blocks,
reaches out of the process, changes how the interpreter runs, or answers differently each time.
"""

import collections
import contextlib
import enum
import functools
import importlib
import io
import itertools
import pathlib
import re
import types
import warnings


def words(text):
    return text.split()


MODULES = words("""
_collections_abc _markupbase _pydatetime _pydecimal _pyio _strptime _threading_local _weakrefset
argparse ast base64 calendar cmd code codecs codeop collections colorsys configparser contextlib
copy copyreg csv dataclasses difflib dis doctest email._encoded_words email._header_value_parser
email._parseaddr email._policybase email.base64mime email.charset email.contentmanager
email.encoders email.errors email.feedparser email.generator email.header email.headerregistry
email.iterators email.message email.mime.application email.mime.base email.mime.message
email.mime.multipart email.mime.nonmultipart email.mime.text email.parser email.policy
email.quoprimime email.utils encodings.idna encodings.punycode encodings.utf_8_sig enum filecmp
fileinput fnmatch formatter fractions functools genericpath getopt gettext glob graphlib gzip hmac
html html.parser http http.cookiejar http.cookies imaplib inspect io ipaddress json.decoder
json.encoder json.scanner linecache logging logging.config mimetypes ntpath numbers opcode
operator optparse pathlib pathlib._local pathlib.types pickle pickletools pkgutil plistlib
posixpath pprint pstats pyclbr quopri random reprlib rlcompleter sched shlex sqlite3.dump stat
statistics string string.templatelib stringprep symtable tabnanny tarfile textwrap token tokenize
tomllib._parser traceback types typing unittest.case unittest.loader unittest.mock unittest.result
unittest.suite unittest.util urllib.error urllib.parse urllib.response urllib.robotparser weakref
wave wsgiref.handlers wsgiref.headers wsgiref.util wsgiref.validate xml.dom.domreg
xml.dom.expatbuilder xml.dom.minidom xml.dom.pulldom xml.dom.xmlbuilder xml.etree.ElementPath
xml.etree.ElementTree xml.sax.handler xml.sax.saxutils xml.sax.xmlreader xmlrpc.client zipfile
zoneinfo._common zoneinfo._zoneinfo
""")

# By what they are called, wherever they are.
LEFT_OUT = set(
    words("""
__class__ __del__ __init_subclass__ __sizeof__ _exit _main _run_stdio _test access
append_history_file breakpoint browse chmod chown cmdloop connect dispatch_call do_EOF exec fork
get_pager getpager input interact invoke_pdb kill link listen main mkdir open_new pager pipe_pager
pipepager plain_pager plainpager post_mortem raw_input readline_hook remove rename replace_history
rmdir runcall runctx runeval save_bgn serve serve_forever set_trace setprofile settrace sleep
symlink system tempfile_pager tempfilepager test touch truncate tty_pager ttypager unlink
user_line wait walk_packages
""")
)

# Clocks, random numbers, addresses, the frames of whoever calls; what no call survives.
LEFT_OUT_HERE = set(
    words("""
_pydatetime.date.today _pydatetime.datetime.astimezone _pydatetime.datetime.now
_pydatetime.datetime.today _pydatetime.datetime.utcnow _pyio.FileIO _pyio.OpenWrapper _pyio.open
_pyio.open_code cmd.Cmd.do_help code.InteractiveInterpreter.runcode codecs.open contextlib.chdir
decimal.Decimal._power_exact dis.Bytecode.from_traceback doctest.DebugRunner doctest.DocTestCase
doctest.DocTestRunner doctest.debug doctest.debug_script doctest.debug_src
doctest.run_docstring_examples doctest.testfile doctest.testmod doctest.testsource
email.generator._make_boundary email.utils.formatdate email.utils.localtime email.utils.make_msgid
filecmp.dircmp fileinput.FileInput fileinput.input functools.singledispatchmethod
genericpath.getatime genericpath.getctime genericpath.getmtime gzip._create_simple_gzip_header
gzip.compress http.cookiejar.time2isoz http.cookiejar.time2netscape http.cookies._getdate
imaplib.IMAP4 imaplib.IMAP4_SSL imaplib.IMAP4_stream imaplib.Internaldate2tuple
imaplib.Time2Internaldate inspect.currentframe inspect.stack inspect.trace logging.captureWarnings
logging.config.fileConfig logging.config.listen logging.disable logging.shutdown
pkgutil.iter_importers pkgutil.iter_modules random.Random._randbelow
random.Random._randbelow_with_getrandbits random.Random._randbelow_without_getrandbits
random.SystemRandom traceback.extract_stack traceback.format_stack traceback.print_stack
traceback.walk_stack typing._collect_parameters typing._generic_init_subclass
unittest.case.TestCase.debug unittest.case._AssertLogsContext unittest.mock.ThreadingMixin
unittest.mock._patch_stopall weakref.finalize wsgiref.handlers.format_date_time
xml.dom.minidom.NamedNodeMap.__ge__ xml.dom.minidom.NamedNodeMap.__gt__
xml.dom.minidom.NamedNodeMap.__le__ xml.dom.minidom.NamedNodeMap.__lt__
xml.dom.minidom.NamedNodeMap._cmp xml.etree.ElementTree.iterparse
xml.sax.xmlreader.IncrementalParser xmlrpc.client.DateTime xmlrpc.client._strftime
xmlrpc.client.gzip_encode
""")
)

VALUES = (None, 0, "a", [1, "b"], {"a": 1}, ("a", 1), b"a", 2.5)
FEW_VALUES = (None, 5, "a", ["b"])
TEXTS = ("", "a b", "A <b@c.d>", '"x" (y) <z@[1.2]>; q=1', "=?utf-8?q?=41=?= tail", "1.5:2/3-4")


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


# Instances where the simple arguments make none, or none of interest.
FACTORIES = {
    "random.Random": lambda cls: cls(1),
    "fractions.Fraction": lambda cls: cls(3, 7),
    "ipaddress.IPv4Network": lambda cls: cls("10.0.0.0/29"),
    "ipaddress.IPv6Network": lambda cls: cls("fe80::/125"),
    "ipaddress.IPv4Address": lambda cls: cls("10.1.2.3"),
    "ipaddress.IPv6Address": lambda cls: cls("fe80::1%2"),
    "ipaddress.IPv4Interface": lambda cls: cls("10.1.2.3/8"),
    "ipaddress.IPv6Interface": lambda cls: cls("fe80::1/64"),
    "_pydatetime.date": lambda cls: cls(2024, 2, 29),
    "_pydatetime.datetime": lambda cls: cls(2024, 2, 29, 1, 2, 3, 4),
    "_pydatetime.time": lambda cls: cls(1, 2, 3, 4),
    "_pydatetime.timedelta": lambda cls: cls(1, 2, 3),
    "_pydecimal.Decimal": lambda cls: cls("1.25"),
    "_pyio.TextIOWrapper": lambda cls: cls(io.BytesIO(b"a\nb\r\nc"), "utf-8"),
    "_pyio.BufferedReader": lambda cls: cls(io.BytesIO(b"abc\ndef")),
    "_pyio.BufferedWriter": lambda cls: cls(io.BytesIO(b"abc\ndef")),
    "_pyio.BufferedRandom": lambda cls: cls(io.BytesIO(b"abc\ndef")),
    "pickle._Pickler": lambda cls: cls(io.BytesIO()),
    "pickle._Unpickler": lambda cls: cls(io.BytesIO(b"\x80\x04]\x94.")),
    "xml.etree.ElementTree.Element": lambda cls: cls("a"),
    "tomllib._parser.Flags": lambda cls: cls(),
    "types.SimpleNamespace": lambda cls: cls(a=1),
    "string.Formatter": lambda cls: cls(),
    "unittest.case.TestCase": lambda cls: cls("shortDescription"),
    "zipfile.ZipFile": lambda cls: cls(io.BytesIO(), "w"),
    "tarfile.TarFile": lambda cls: cls(fileobj=io.BytesIO(), mode="w"),
    "logging.StreamHandler": lambda cls: cls(io.StringIO()),
    "gzip.GzipFile": lambda cls: cls(fileobj=io.BytesIO(), mode="wb", mtime=0),
    "statistics.NormalDist": lambda cls: cls(1, 2),
    "difflib.SequenceMatcher": lambda cls: cls(None, "abcd", "acxd"),
    "collections.UserString": lambda cls: cls("some text"),
    "collections.UserList": lambda cls: cls([3, 1, 2]),
    "collections.UserDict": lambda cls: cls({"a": 1}),
    "collections.Counter": lambda cls: cls("abca"),
    "collections.ChainMap": lambda cls: cls({"a": 1}, {"b": 2}),
}


class Outcomes:
    """What came back, as texts that are the same in every process."""

    def __init__(self):
        self.counts = collections.Counter()
        self.folder = pathlib.Path.cwd().name

    def note(self, where, call):
        try:
            found = self.describe(call())
        except BaseException as error:  # a wish to exit, too
            found = f"raised {type(error).__name__}"
        self.counts[f"{where}: {found}"] += 1

    def without_addresses(self, text):
        """Nor the name of the temporary folder."""
        return re.sub(r"0x[0-9a-f]+|\d{9,}", "_", text.replace(self.folder, ""))[:200]

    def describe(self, value):
        if isinstance(value, types.GeneratorType):
            return [self.describe(each) for each in itertools.islice(value, 20)]
        if isinstance(value, types.CoroutineType):
            value.close()
            return "coroutine"
        if isinstance(value, str):
            return self.without_addresses(value)
        if isinstance(value, (bool, float, bytes, types.NoneType)):
            return self.without_addresses(repr(value))
        if isinstance(value, int) and abs(value) < 10**6:
            return repr(value)
        return type(value).__name__


def required(function):
    """How many arguments it needs; None when it needs named ones."""
    code = function.__code__
    named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if any(name not in (function.__kwdefaults__ or {}) for name in named):
        return None
    return code.co_argcount - len(function.__defaults__ or ())


def is_left_out(module, *names):
    """By its own name, or with a class or module around it."""
    path = [module.__name__, *names]
    paths = {".".join(path[: end + 1]) for end in range(1, len(path))}
    return names[-1] in LEFT_OUT or not LEFT_OUT_HERE.isdisjoint(paths)


def argument_lists(count, module):
    if count <= 0:
        return [()]
    values = VALUES if count == 1 else FEW_VALUES
    if module.__name__.startswith(("email", "http", "urllib", "shlex", "html")):
        values = FEW_VALUES + TEXTS
    return [(value,) * count for value in values]


def call_function(outcomes, module, function, name):
    count = required(function)
    if count is None:
        return
    for arguments in argument_lists(count, module):
        outcomes.note(name, functools.partial(function, *fresh(arguments)))


def fresh(arguments):
    """Some functions change what they are given."""
    return [type(each)(each) if isinstance(each, (list, dict)) else each for each in arguments]


def make_instance(module, cls):
    factory = FACTORIES.get(f"{module.__name__}.{cls.__qualname__}")
    if factory is not None:
        return factory(cls)
    if issubclass(cls, enum.Enum):
        return next(iter(cls), object())
    for arguments in (
        (),
        ("a",),
        ([1],),
        ({},),
        (0,),
        (None,),
        ("a", "b"),
        (None, None),
        (1, 2, 3),
    ):
        with contextlib.suppress(BaseException):
            return cls(*fresh(arguments))
    if not hasattr(cls, "__getattr__"):  # which would look for itself in an empty instance
        with contextlib.suppress(BaseException):
            return cls.__new__(cls)
    return object()  # None would be taken for "no object" by super()


def call_methods(outcomes, module, cls):
    for name in sorted(vars(cls)):
        if is_left_out(module, cls.__qualname__, name):
            continue
        where = f"{module.__name__}.{cls.__qualname__}.{name}"
        member = vars(cls)[name]
        if isinstance(member, (property, functools.cached_property)):
            instance = make_instance(module, cls)
            outcomes.note(where, functools.partial(getattr, instance, name))
            continue
        function = getattr(member, "__func__", member)
        if not isinstance(function, types.FunctionType):
            continue
        count = required(function)
        if count is None:
            continue
        bound = 0 if isinstance(member, staticmethod) else 1
        for arguments in argument_lists(count - bound, module):
            if isinstance(member, (staticmethod, classmethod)):
                call = functools.partial(getattr(cls, name), *fresh(arguments))
            else:
                call = functools.partial(function, make_instance(module, cls), *fresh(arguments))
            outcomes.note(where, call)


def call_module(outcomes, module):
    public_name = module.__name__.removeprefix("_py")  # of modules that are also there in C
    for name, value in sorted(vars(module).items()):
        if getattr(value, "__module__", None) not in (module.__name__, public_name):
            continue
        if is_left_out(module, name):
            continue
        if isinstance(value, type):
            call_methods(outcomes, module, value)
        elif isinstance(getattr(value, "__wrapped__", value), types.FunctionType):
            call_function(
                outcomes, module, getattr(value, "__wrapped__", value), f"{module.__name__}.{name}"
            )


def run(names=MODULES):
    outcomes = Outcomes()
    for name in names:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            warnings.catch_warnings(),
        ):
            call_module(outcomes, module)
    return sorted(outcomes.counts.items())
