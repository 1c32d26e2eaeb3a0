"""A function inside a context manager, whatever kind of function it is."""

import inspect
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager
from functools import cached_property, partialmethod, wraps
from types import FunctionType, MethodType
from typing import Any

MakeContext = Callable[[], AbstractContextManager[object]]


def wrap(function: Any, make_context: MakeContext) -> Any:
    """Generators and coroutines are inside it from their first step to their last."""
    if isinstance(function, classmethod | staticmethod):
        return type(function)(wrap(function.__func__, make_context))
    if isinstance(function, property):
        return _wrap_property(function, make_context)
    if isinstance(function, cached_property):
        wrapped: Any = type(function)(wrap(function.func, make_context))
        wrapped.attrname = function.attrname  # of a class that is complete
        return wrapped
    if isinstance(function, partialmethod):
        inner = wrap(function.func, make_context)
        return type(function)(inner, *function.args, **function.keywords)
    if inspect.iscoroutinefunction(function):
        wrapper: Any = _wrap_coroutine(function, make_context)
    elif inspect.isasyncgenfunction(function):
        wrapper = _wrap_async_generator(function, make_context)
    elif inspect.isgeneratorfunction(function):
        wrapper = _wrap_generator(function, make_context)
    else:
        wrapper = _wrap_plain(function, make_context)
    return _with_attributes(wraps(function)(wrapper), function)


def can_be_wrapped(target: object) -> bool:
    """Not a class: what is made of it, or asks for its type, would not find it."""
    kinds = (classmethod, staticmethod, property, cached_property, partialmethod)
    return isinstance(target, kinds) or (callable(target) and not isinstance(target, type))


def _wrap_property(target: property, make_context: MakeContext) -> property:
    """Through its own methods, which keep its type and its documentation."""
    wrapped = target
    if target.fget is not None:
        wrapped = wrapped.getter(wrap(target.fget, make_context))
    if target.fset is not None:
        wrapped = wrapped.setter(wrap(target.fset, make_context))
    if target.fdel is not None:
        wrapped = wrapped.deleter(wrap(target.fdel, make_context))
    return wrapped


def _with_attributes(wrapper: Any, function: Any) -> Any:
    """What callables of other types have besides: cache_clear() of lru_cache, args of partial."""
    if not isinstance(function, FunctionType | MethodType):
        for name in dir(type(function)):
            if not name.startswith("_") and not hasattr(wrapper, name):
                setattr(wrapper, name, getattr(function, name))
    return wrapper


def _wrap_plain(function: Any, make_context: MakeContext) -> Any:
    def wrapper(*arguments: Any, **keywords: Any) -> Any:
        with make_context():
            return function(*arguments, **keywords)

    return wrapper


def _wrap_generator(function: Any, make_context: MakeContext) -> Any:
    def wrapper(*arguments: Any, **keywords: Any) -> Generator[Any, Any, Any]:
        with make_context():
            return (yield from function(*arguments, **keywords))

    return wrapper


def _wrap_coroutine(function: Any, make_context: MakeContext) -> Any:
    async def wrapper(*arguments: Any, **keywords: Any) -> Any:
        with make_context():
            return await function(*arguments, **keywords)

    return wrapper


def _wrap_async_generator(function: Any, make_context: MakeContext) -> Any:
    async def wrapper(*arguments: Any, **keywords: Any) -> AsyncGenerator[Any, Any]:
        with make_context():
            inner = function(*arguments, **keywords)
            try:
                value = await anext(inner)
                while True:
                    try:
                        sent = yield value
                    except GeneratorExit:
                        await inner.aclose()
                        raise
                    except BaseException as error:
                        value = await inner.athrow(error)
                    else:
                        value = await inner.asend(sent)
            except StopAsyncIteration:
                return

    return wrapper
