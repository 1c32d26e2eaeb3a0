"""Functions that are measured: they get other code, and their own back. No wrapper is ever made."""

import sys
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

from pyrometer._line_targets import ANNOTATIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyrometer._lprof import Label

CO_OPTIMIZED = 0x1
GENERATORS = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR


class Engine(Protocol):
    """What measures: `_agent.LineTimes`."""

    def rewrite(self, code: CodeType) -> CodeType: ...
    def watch(self, code: CodeType) -> None: ...
    def unwatch(self, code: CodeType) -> None: ...


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
        own = own_code(function)
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


def own_code(function: FunctionType) -> CodeType:
    """What it had before anybody measured it."""
    layers = _layers.get(id(function))
    is_layered = layers is not None and layers.function() is function
    return layers.own if layers is not None and is_layered else function.__code__


def label_of(code: CodeType) -> "Label":
    """The same of all that was made of it."""
    return (code.co_filename, code.co_firstlineno, code.co_qualname)


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
