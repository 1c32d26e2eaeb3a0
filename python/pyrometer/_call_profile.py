"""kernprof without -l: a function profiler that is also a decorator and a context manager."""

import inspect
from collections.abc import AsyncGenerator, Callable, Generator
from functools import partial, wraps
from typing import Any, Self

from pyrometer.cprofile import Profile


class ContextualProfile(Profile):
    """Counts calls while something that it decorates runs, or `with` it."""

    enable_count = 0

    def enable_by_count(self, subcalls: bool = True, builtins: bool = True) -> None:
        if self.enable_count == 0:
            self.enable(subcalls=subcalls, builtins=builtins)
        self.enable_count += 1

    def disable_by_count(self) -> None:
        if self.enable_count > 0:
            self.enable_count -= 1
            if self.enable_count == 0:
                self.disable()

    def __enter__(self) -> Self:
        self.enable_by_count()
        return self

    def __exit__(self, *exception: object) -> None:
        self.disable_by_count()

    def __call__(self, func: Any) -> Any:
        """Calls of what is returned are profiled."""
        if isinstance(func, classmethod | staticmethod):
            return type(func)(self(func.__func__))
        if isinstance(func, property):
            parts = (func.fget, func.fset, func.fdel)
            get, put, delete = (None if part is None else self(part) for part in parts)
            return property(get, put, delete, func.__doc__)
        if isinstance(func, type):
            for name, member in list(vars(func).items()):
                if inspect.isfunction(member) or isinstance(
                    member, classmethod | staticmethod | property
                ):
                    setattr(func, name, self(member))
            return func
        return wraps(func)(self._wrapper(func))

    def _wrapper(self, func: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **keywords: Any) -> Any:
            with self:
                return func(*args, **keywords)

        async def wait(*args: Any, **keywords: Any) -> Any:
            with self:
                return await func(*args, **keywords)

        def generate(*args: Any, **keywords: Any) -> Generator[Any, Any, Any]:
            generator = func(*args, **keywords)
            step = partial(next, generator)
            while True:
                with self:
                    try:
                        item = step()
                    except StopIteration as end:
                        return end.value
                try:
                    step = partial(generator.send, (yield item))
                except GeneratorExit:
                    generator.close()
                    raise
                except BaseException as error:
                    step = partial(generator.throw, error)

        async def generate_async(*args: Any, **keywords: Any) -> AsyncGenerator[Any, Any]:
            generator = func(*args, **keywords)
            step = partial(anext, generator)
            while True:
                with self:
                    try:
                        item = await step()
                    except StopAsyncIteration:
                        return
                try:
                    step = partial(generator.asend, (yield item))
                except GeneratorExit:
                    await generator.aclose()
                    raise
                except BaseException as error:
                    step = partial(generator.athrow, error)

        if inspect.isasyncgenfunction(func):
            return generate_async
        if inspect.iscoroutinefunction(func):
            return wait
        return generate if inspect.isgeneratorfunction(func) else call
