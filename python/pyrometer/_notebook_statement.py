"""What a magic runs, as IPython runs a cell: with its syntax, its names, and with its source where
tracebacks and profiles look for it.

The recorder knows this file by its name: what it calls begins at the root of call trees, as the
frames above it are IPython's and the kernel's.
"""

import ast
from types import CodeType
from typing import Any


class Statement:
    """The statement behind a magic's options, and the cell below it, if there is one."""

    def __init__(self, shell: Any, line: str, cell: str | None = None) -> None:
        self._shell = shell
        text = line if cell is None else f"{line}\n{cell}" if line else cell
        source = shell.transform_cell(text)
        self._file = shell.compile.cache(source, cell_number(shell), raw_code=text)
        parsed = shell.compile.ast_parse(source, filename=self._file)
        self._body: list[ast.stmt] = shell.transform_ast(parsed).body
        self._steps = self._split()

    @property
    def names(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Globals and locals."""
        return self._shell.user_global_ns, self._shell.user_ns

    def code(self) -> CodeType:
        """Of all of it, which gives no value."""
        return self._compile(ast.Module(self._body, []), "exec")

    def run(self) -> object:
        """The value of the last expression, which a cell would show."""
        __tracebackhide__ = True
        before, value = self._steps
        exec(before, *self.names)
        return None if value is None else eval(value, *self.names)

    def _split(self) -> tuple[CodeType, CodeType | None]:
        """All but the last expression, and that."""
        last = self._body[-1] if self._body else None
        if not isinstance(last, ast.Expr):
            return self.code(), None
        before = self._compile(ast.Module(self._body[:-1], []), "exec")
        return before, self._compile(ast.Expression(last.value), "eval")

    def _compile(self, tree: ast.AST, mode: str) -> CodeType:
        code: CodeType = self._shell.compile(tree, self._file, mode)
        return code


def cell_number(shell: Any) -> int:
    """Of the cell that runs. IPython's own count is that of the next one, in some versions."""
    return len(shell.history_manager.input_hist_parsed) - 1
