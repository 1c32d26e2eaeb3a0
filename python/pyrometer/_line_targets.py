"""From a callable, a class or a module to the functions behind it, and other code for them.

No wrapper is ever made: a function is measured by giving it other code, and gets its own back.
This file is also loaded alone into the programs of `pyrometer run --lines`, so it imports nothing
of Pyrometer's and little else.
"""

import sys
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEFAULT_POLICIES = {"func": "siblings", "class": "siblings", "module": "exact"}
POLICIES = ("exact", "children", "descendants", "siblings", "none")
CYTHON = ("cython_function_or_method", "fused_cython_function")
ANNOTATIONS = "__annotate__"  # a function that Python 3.14 makes for classes and modules
CO_OPTIMIZED = 0x1
GENERATORS = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR


class Engine(Protocol):
    """What measures: `_agent.LineTimes`."""

    def rewrite(self, code: CodeType) -> CodeType: ...
    def watch(self, code: CodeType) -> None: ...
    def unwatch(self, code: CodeType) -> None: ...


# ---- which functions


def find_functions(target: object, problems: "list[str] | None" = None) -> list[FunctionType]:
    """The Python functions that run when the target is called, each once.

    Of a function that stands for another one (functools.wraps, lru_cache) it is the other one.
    What cannot be measured is a sentence in `problems`; what is not callable is a TypeError.
    """
    found: dict[int, FunctionType] = {}
    for function in _functions(target, [] if problems is None else problems, set()):
        found.setdefault(id(function), function)
    return list(found.values())


def _functions(target: Any, problems: list[str], seen: set[int]) -> "Iterator[FunctionType]":
    if id(target) in seen:
        return
    seen.add(id(target))
    if isinstance(target, type):
        for member in list(vars(target).values()):
            if is_in_scope("children", target, member):
                yield from _member_functions(member, problems, seen)
    elif isinstance(target, property):
        for function in (target.fget, target.fset, target.fdel):
            if function is not None:
                yield from _functions(function, problems, seen)
    elif (inner := _inside(target)) is not None:
        yield from _functions(inner, problems, seen)
    elif isinstance(target, FunctionType):
        yield target
    elif (problem := _compiled_by(target)) is not None:
        problems.append(problem)
    elif not callable(target):
        raise TypeError(f"{target!r} is not callable, so it has no lines to measure")
    elif isinstance(call := type(target).__call__, FunctionType):
        yield from _functions(call, problems, seen)


def _member_functions(member: Any, problems: list[str], seen: set[int]) -> "Iterator[FunctionType]":
    try:
        yield from _functions(member, problems, seen)
    except TypeError:
        return  # a class has other things than functions too


def _inside(target: Any) -> object:
    """What a callable passes its calls on to, or None."""
    if _compiled_by(target) is not None:
        return None
    if isinstance(target, MethodType | classmethod | staticmethod):
        return target.__func__
    functools = sys.modules.get("functools")  # there are none of these where nobody imported it
    if functools is not None:
        kinds = (functools.partial, functools.partialmethod, functools.cached_property)
        if isinstance(target, kinds):
            return target.func
    wrapped = getattr(target, "__wrapped__", None)
    return wrapped if callable(wrapped) else None


def _compiled_by(target: Any) -> str | None:
    """Why a callable has no lines that run as Python."""
    kind = type(target)
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", repr(target))
    if kind.__name__ in CYTHON:
        return f"{name} is compiled by Cython: its lines cannot be measured."
    if kind.__module__.partition(".")[0] == "numba" and hasattr(target, "py_func"):
        return (
            f"{name} is compiled by numba: its lines cannot be measured; measure {name}.py_func, "
            "or run with NUMBA_DISABLE_JIT=1."
        )
    return None


# ---- members of classes and modules


def to_policies(policy: "str | dict[str, str] | None") -> dict[str, str]:
    """line_profiler's scoping policies: one for all kinds of members, or one for each."""
    if policy is None:
        return DEFAULT_POLICIES
    given = dict.fromkeys(DEFAULT_POLICIES, policy) if isinstance(policy, str) else policy
    policies = {kind: str(given[kind]).lower() for kind in DEFAULT_POLICIES}
    for name in policies.values():
        if name not in POLICIES:
            raise ValueError(f"{name!r} is no scoping policy; there are {', '.join(POLICIES)}")
    return policies


def is_in_scope(policy: str, space: "type | ModuleType", member: object) -> bool:
    """Whether a member of a class or module belongs to it, in the sense of the policy."""
    if isinstance(member, ModuleType):
        return _module_is_in_scope(policy, space, member.__name__)
    if isinstance(member, FunctionType) and member.__code__.co_name == ANNOTATIONS:
        return False
    if policy == "none":
        return True
    if policy == "exact" and isinstance(member, type):
        return False
    is_one = isinstance(member, type) or _compiled_by(member) is not None
    functions: list[Any] = [member] if is_one else []
    if not is_one:
        try:
            functions = list(find_functions(member))
        except TypeError:
            return False
    return any(_belongs(policy, space, function) for function in functions)


def _belongs(policy: str, space: "type | ModuleType", function: Any) -> bool:
    module, name = str(function.__module__), getattr(function, "__qualname__", "")
    if isinstance(space, type):
        if module != space.__module__:
            return False
        if policy == "siblings":
            return True
        if policy == "descendants":
            return bool(name.startswith(space.__qualname__ + "."))
        return bool(name == f"{space.__qualname__}.{function.__name__}")
    if policy in ("exact", "children"):
        return module == space.__name__
    parent = space.__name__.rpartition(".")[0]
    roots = [space.__name__, parent] if policy == "siblings" and parent else [space.__name__]
    return any(f"{module}.".startswith(f"{root}.") for root in roots)


def _module_is_in_scope(policy: str, space: "type | ModuleType", name: str) -> bool:
    if isinstance(space, type) or policy == "exact":
        return False
    parent = space.__name__.rpartition(".")[0]
    if policy == "children":
        return name.rpartition(".")[0] == space.__name__
    if policy == "descendants":
        return name.startswith(space.__name__ + ".")
    return policy == "none" or (parent != "" and name.startswith(parent + "."))


def add_members(
    space: "type | ModuleType",
    policies: dict[str, str],
    add: "Callable[[object], bool]",
    seen: "set[int] | None" = None,
) -> int:
    """Calls add(member) for what is in scope, nested classes' members too; how many were added.

    add() says whether there was something to measure.
    """
    seen = set() if seen is None else seen
    count = 0
    for member in list(vars(space).values()):
        if id(member) in seen:
            continue
        seen.add(id(member))
        kinds = {type: "class", ModuleType: "module"}
        kind = next((word for base, word in kinds.items() if isinstance(member, base)), "func")
        if not is_in_scope(policies[kind], space, member):
            continue
        if isinstance(member, type | ModuleType):
            count += add_members(member, policies, add, seen) > 0
        else:
            count += _adds(add, member)
    return count


def _adds(add: "Callable[[object], bool]", member: object) -> bool:
    try:
        return add(member)
    except TypeError:
        return False


# ---- other code for functions


class _Layers:
    """A function that is measured: its own code, and by whom it is measured, first one first."""

    __slots__ = ("code", "function", "measured_by", "own")

    def __init__(self, function: FunctionType) -> None:
        key = id(function)
        self.function = ref(function, lambda _: _layers.pop(key, None))
        self.own = self.code = function.__code__
        self.measured_by: list[Measured] = []


_layers: dict[int, _Layers] = {}  # by the function's id, of those alive


class Measured:
    """The functions that one engine measures, while it is started."""

    def __init__(self, engine: Engine) -> None:
        self.codes: dict[int, CodeType] = {}  # of all functions ever added, by id
        self.refusals: list[str] = []  # sentences on what could not be measured
        self.is_started = False
        self._engine = engine
        self._functions: dict[int, ref[FunctionType]] = {}
        self._rewritten: dict[int, tuple[CodeType, CodeType]] = {}  # by id: given, measured
        self._watched: dict[int, CodeType] = {}

    @property
    def functions(self) -> list[FunctionType]:
        """Those that are still alive."""
        alive = [function() for function in list(self._functions.values())]  # some die meanwhile
        return [function for function in alive if function is not None]

    def add(self, function: FunctionType) -> None:
        key = id(function)
        known = self._functions.get(key)
        if known is not None and known() is function:
            return
        self._functions[key] = ref(function, lambda _: self._functions.pop(key, None))
        layers = _layers.get(key)
        is_layered = layers is not None and layers.function() is function
        own = layers.own if layers is not None and is_layered else function.__code__
        is_new = id(own) not in self.codes
        self.codes[id(own)] = own
        if self.is_started:
            self._put_on(function)
            # A closure is made again and again; the first one stands for all.
            if is_new and id(own) in _running_codes():
                self._watch(own)

    def start(self) -> None:
        if not self.is_started:
            self.is_started = True
            for function in self.functions:
                self._put_on(function)
            self._watch_running()

    def stop(self) -> None:
        """Every function gets its own code back, unless somebody else has changed it since."""
        if self.is_started:
            self.is_started = False
            for function in self.functions:
                self._take_off(function)
            for code in self._watched.values():
                self._engine.unwatch(code)
            self._watched.clear()

    def rewrite(self, code: CodeType) -> CodeType:
        """The measured version; where there is none, the code itself is watched."""
        known = self._rewritten.get(id(code))
        if known is not None:
            return known[1]
        try:
            measured = self._engine.rewrite(code)
        except ValueError:
            measured = code
            self._watch(code)
        else:
            self._rewritten[id(code)] = (code, measured)
        return measured

    def _put_on(self, function: FunctionType) -> None:
        key = id(function)
        layers = _layers.get(key)
        if layers is None or layers.function() is not function:
            layers = _layers[key] = _Layers(function)
        elif function.__code__ is not layers.code:  # somebody else's change
            layers.own = function.__code__
        if self not in layers.measured_by:
            layers.measured_by.append(self)
        _apply(function, layers)

    def _take_off(self, function: FunctionType) -> None:
        layers = _layers.get(id(function))
        if layers is None or layers.function() is not function or self not in layers.measured_by:
            return
        layers.measured_by.remove(self)
        if function.__code__ is layers.code:
            _apply(function, layers)
        if not layers.measured_by:
            del _layers[id(function)]

    def _watch_running(self) -> None:
        """Activations keep the code they began with."""
        running = _running_codes()
        # Suspended generators are on no stack; to watch them costs nothing where events are
        # local to their code.
        is_cheap = hasattr(sys, "monitoring")
        for code in list(self.codes.values()):
            if id(code) in running or (is_cheap and code.co_flags & GENERATORS):
                self._watch(code)

    def _watch(self, code: CodeType) -> None:
        if id(code) in self._watched:
            return
        try:
            self._engine.watch(code)
        except ValueError as reason:
            self.refusals.append(f"{code.co_qualname} cannot be measured: {reason}.")
        else:
            self._watched[id(code)] = code


def _apply(function: FunctionType, layers: _Layers) -> None:
    code = layers.own
    for measured in layers.measured_by:
        code = measured.rewrite(code)
    layers.code = function.__code__ = code


def _running_codes() -> set[int]:
    codes = set()
    for frame in sys._current_frames().values():  # noqa: SLF001
        step: Any = frame
        while step is not None:
            codes.add(id(step.f_code))
            step = step.f_back
    return codes


def rewrite_tree(code: CodeType, rewrite: "Callable[[CodeType], CodeType]") -> CodeType:
    """The code of a module, with every function in it measured from its definition on."""
    constants = tuple(
        _measured_constant(constant, rewrite) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_consts=constants)


def _measured_constant(code: CodeType, rewrite: "Callable[[CodeType], CodeType]") -> CodeType:
    code = rewrite_tree(code, rewrite)
    # A class has a body that is none; comprehensions and annotations are functions in secret.
    is_secret = code.co_name.startswith("<") or code.co_name == ANNOTATIONS
    return rewrite(code) if code.co_flags & CO_OPTIMIZED and not is_secret else code
