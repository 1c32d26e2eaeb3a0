"""Functions that are timed: each kind gets the wrapper that times what it does.

Needs nothing of the package, as a recorder uses this file by itself.
"""

import functools
import sys

TYPE_CHECKING = False  # typing itself takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Iterable
    from types import CodeType
    from typing import Any

    from pyrometer._agent import Region


# Of co_flags.
GENERATOR, COROUTINE, ITERABLE_COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x100, 0x200


def time_function(region: "Region", function: "Any") -> "Any":
    """The function, inside the region whenever it runs.

    A coroutine function is inside until what it awaits is done; a generator function each time
    it goes on to its next value.
    """
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(time_function(region, function.__func__))
    if isinstance(function, type) or not callable(function):
        what = "a class: decorate its methods" if isinstance(function, type) else repr(function)
        raise TypeError(f"a function can be timed, not {what}")
    flags = _code_flags(function)
    if flags & COROUTINE:
        wrapper = _coroutine(region, function)
    elif flags & ASYNC_GENERATOR:
        wrapper = _async_generator(region, function)
    elif flags & ITERABLE_COROUTINE:
        wrapper = _iterable_coroutine(region, function)
    elif flags & GENERATOR:
        wrapper = _generator(region, function)
    else:
        # No Python frame of ours: the same profile as without us.
        wrapper = region._wrap(function, reduce_timed)  # noqa: SLF001
    return functools.update_wrapper(wrapper, function)


def time_attribute(region: "Region", module: "Any", path: str) -> None:
    """Replaces a function of a module, or a method of a class in it, by a timed one."""
    holder, function = None, module
    for name in path.split("."):
        holder = function
        if not hasattr(holder, name):
            raise AttributeError(f"there is no {name} in {holder.__name__}")
        function = vars(holder).get(name, getattr(holder, name))
    if callable(function) and not isinstance(function, type) and not _is_function(function):
        kind = type(function).__qualname__
        raise TypeError(f"a function can be timed, not an object of {kind}, which can do more")
    setattr(holder, name, time_function(region, function))


def _is_function(target: "Any") -> bool:
    """Whether the program does no more with it than to call it, so that a timer can stand for it.

    NumPy's ufuncs are asked for their type, numba compiles its own into their callers, and objects
    of the program's classes have operators.
    """
    kind: Any = type(target)
    if isinstance(target, (type(len), functools.partial)) or kind.__name__ == "nb_func":
        return True
    is_own_class = isinstance(kind.__call__, type(_is_function))
    return hasattr(kind, "__get__") and not is_own_class and not hasattr(target, "py_func")


def time_definitions(
    code: "CodeType", regions: "dict[str, Region]"
) -> "tuple[CodeType, list[str]]":
    """The code of a script whose functions, or methods, are timed where they are defined.

    Also gives those that were found. The script is read and compiled once more, with decorators
    that stand where the definitions do, so that lines and names stay what they are.
    """
    import _ast
    import warnings

    with open(code.co_filename, "rb") as file:  # noqa: PTH123
        source = file.read()
    values: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were given when the script was compiled
        tree: Any = compile(source, code.co_filename, "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
        for path, region in regions.items():
            for definition in _definitions(tree.body, path.split(".")):
                decorators = definition.decorator_list
                place = decorators[0] if decorators else definition
                line, column = place.lineno, place.col_offset
                text = f"pyrometer times {path}"
                mark = _ast.Constant(text, None, lineno=line, col_offset=column)
                mark.end_lineno, mark.end_col_offset = line, column
                decorators.insert(0, mark)
                values[text] = functools.partial(time_function, region)
        marked = compile(tree, code.co_filename, "exec", dont_inherit=True)
    found = [path for path in regions if f"pyrometer times {path}" in values]
    return _with_constants(marked, values), found


def _definitions(statements: "list[Any]", path: list[str]) -> "list[Any]":
    """Where the function is defined, also inside `if`, `try`, `with` and loops."""
    found = []
    for statement in statements:
        kind = type(statement).__name__
        if kind in ("FunctionDef", "AsyncFunctionDef"):
            if [statement.name] == path:
                found.append(statement)
        elif kind == "ClassDef":
            if len(path) > 1 and statement.name == path[0]:
                found += _definitions(statement.body, path[1:])
        else:
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                found += _definitions(getattr(statement, name, []), path)
    return found


def _with_constants(code: "CodeType", values: "dict[str, Any]") -> "CodeType":
    """The same code with values in the place of texts among its constants."""

    def changed(constant: "Any") -> "Any":
        if isinstance(constant, type(code)):
            return _with_constants(constant, values)
        return values.get(constant, constant) if isinstance(constant, str) else constant

    return code.replace(co_consts=tuple(map(changed, code.co_consts)))


def reduce_timed(timed: "Any", region: "Region", function: "Any") -> "str | tuple[Any, ...]":
    """How a timed function is pickled: by name, as functions are; by cloudpickle, in whichever
    package that is, by value where workers do not find the name, as it does with functions.
    """
    pickler = sys._getframe(1).f_globals  # noqa: SLF001
    is_cloudpickle = str(pickler.get("__name__")).endswith("cloudpickle")
    if not is_cloudpickle or _is_importable(timed, pickler.get("_PICKLE_BY_VALUE_MODULES", ())):
        return str(timed.__qualname__)
    try:  # what is pickled by name must be what that name stands for, not a recorder's own
        from pyrometer._timed_functions import restore_attributes, time_function
    except ImportError:  # a recorder has timed it, which workers know nothing of
        from _operator import itemgetter

        return itemgetter(0), ((function,),)
    # The attributes too, as those of a recursive function are not there yet when it is wrapped.
    attributes = dict(vars(timed))
    return time_function, (region, function), attributes, None, None, restore_attributes


def restore_attributes(timed: "Any", attributes: "dict[str, Any]") -> None:
    vars(timed).update(attributes)


def _is_importable(timed: "Any", by_value: "Iterable[str]") -> bool:
    """Whether its name leads to it in a module that others have, too."""
    module = str(timed.__module__)
    if module == "__main__" or any(f"{module}.".startswith(f"{each}.") for each in by_value):
        return False
    found = sys.modules.get(module)
    for name in timed.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is timed


def _code_flags(function: "Any") -> int:
    """What `inspect` would ask, which takes long to import."""
    while isinstance(function, functools.partial):
        function = function.func
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return int(getattr(code, "co_flags", 0))


def _coroutine(region: "Region", function: "Callable[..., Any]") -> "Callable[..., Any]":
    async def timed(*args: "Any", **kwargs: "Any") -> "Any":
        with region:
            return await function(*args, **kwargs)

    return timed


def _iterable_coroutine(region: "Region", function: "Callable[..., Any]") -> "Callable[..., Any]":
    """Of a generator function that types.coroutine() has made awaitable."""
    import types

    def timed(*args: "Any", **kwargs: "Any") -> "Generator[Any, Any, Any]":
        with region:
            return (yield from function(*args, **kwargs))

    return types.coroutine(timed)


def _generator(region: "Region", function: "Callable[..., Any]") -> "Callable[..., Any]":
    def timed(*args: "Any", **kwargs: "Any") -> "Generator[Any, Any, Any]":
        generator = function(*args, **kwargs)
        go_on, given = generator.send, None
        while True:
            try:
                with region:
                    value = go_on(given)
            except StopIteration as stop:
                return stop.value
            try:
                go_on, given = generator.send, (yield value)
            except GeneratorExit:
                with region:
                    generator.close()
                raise
            except BaseException as error:
                go_on, given = generator.throw, error

    return timed


def _async_generator(region: "Region", function: "Callable[..., Any]") -> "Callable[..., Any]":
    async def timed(*args: "Any", **kwargs: "Any") -> "AsyncGenerator[Any, Any]":
        generator = function(*args, **kwargs)
        go_on, given = generator.asend, None
        while True:
            try:
                with region:
                    value = await go_on(given)
            except StopAsyncIteration:
                return
            try:
                go_on, given = generator.asend, (yield value)
            except GeneratorExit:
                with region:
                    await generator.aclose()
                raise
            except BaseException as error:
                go_on, given = generator.athrow, error

    return timed
