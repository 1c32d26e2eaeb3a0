"""From a callable, a class or a module to the functions behind it.

This file is also loaded alone into the programs of `pyrometer run --lines`, so it imports nothing
of Pyrometer's and little else.
"""

from __future__ import annotations

import sys
from types import FunctionType, MethodType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

DEFAULT_POLICIES = {"func": "siblings", "class": "siblings", "module": "exact"}
POLICIES = ("exact", "children", "descendants", "siblings", "none")
CYTHON = ("cython_function_or_method", "fused_cython_function")
ANNOTATIONS = "__annotate__"  # a function that Python 3.14 makes for classes and modules


# ---- which functions


def find_functions(target: object, problems: list[str] | None = None) -> list[FunctionType]:
    """The Python functions that run when the target is called, each once.

    Of a function that stands for another one (functools.wraps, lru_cache) it is the other one.
    What cannot be measured is a sentence in `problems`; what is not callable is a TypeError.
    """
    found: dict[int, FunctionType] = {}
    for function in _functions(target, [] if problems is None else problems, set()):
        found.setdefault(id(function), function)
    return list(found.values())


def _functions(target: Any, problems: list[str], seen: set[int]) -> Iterator[FunctionType]:
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


def _member_functions(member: Any, problems: list[str], seen: set[int]) -> Iterator[FunctionType]:
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


def to_policies(policy: str | dict[str, str] | None) -> dict[str, str]:
    """line_profiler's scoping policies: one for all kinds of members, or one for each."""
    if policy is None:
        return DEFAULT_POLICIES
    given = dict.fromkeys(DEFAULT_POLICIES, policy) if isinstance(policy, str) else policy
    policies = {kind: str(given[kind]).lower() for kind in DEFAULT_POLICIES}
    for name in policies.values():
        if name not in POLICIES:
            raise ValueError(f"{name!r} is no scoping policy; there are {', '.join(POLICIES)}")
    return policies


def is_in_scope(policy: str, space: type | ModuleType, member: object) -> bool:
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


def _belongs(policy: str, space: type | ModuleType, function: Any) -> bool:
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


def _module_is_in_scope(policy: str, space: type | ModuleType, name: str) -> bool:
    if isinstance(space, type) or policy == "exact":
        return False
    parent = space.__name__.rpartition(".")[0]
    if policy == "children":
        return name.rpartition(".")[0] == space.__name__
    if policy == "descendants":
        return name.startswith(space.__name__ + ".")
    return policy == "none" or (parent != "" and name.startswith(parent + "."))


def add_members(
    space: type | ModuleType,
    policies: dict[str, str],
    add: Callable[[object], bool],
    seen: set[int] | None = None,
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


def _adds(add: Callable[[object], bool], member: object) -> bool:
    try:
        return add(member)
    except TypeError:
        return False
