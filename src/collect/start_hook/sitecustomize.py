"""Begins recording in each interpreter of a recorded run, then makes room for the user's own
sitecustomize. Python imports this module before the program's first line."""

import sys


def _load_agent(folder):
    import _frozen_importlib
    import _imp

    path = folder + "/../_agent.abi3.so"
    spec = _frozen_importlib.ModuleSpec("pyrometer._agent", None, origin=path)
    agent = _imp.create_dynamic(spec)
    _imp.exec_dynamic(agent)
    sys.modules.pop("pyrometer._agent", None)
    agent.start(__file__)


def _say(sentence):
    """To whoever waits for the run; the program's own streams are not ours."""
    import _socket
    import posix

    name = posix.environ.get(b"PYROMETER_NOTICES")
    if name:
        with _socket.socket(_socket.AF_UNIX, _socket.SOCK_DGRAM) as notices:
            notices.sendto(sentence.encode()[:500], b"\0" + name)


def _start():
    folder = __file__.rpartition("/")[0]
    # The program sees the search path it would have without us.
    sys.path[:] = [entry for entry in sys.path if entry != folder]
    sys.path_importer_cache.pop(folder, None)
    try:
        if sys.implementation.name != "cpython" or sys.version_info < (3, 11):
            version = ".".join(map(str, sys.version_info[:3]))
            _say(
                f"{sys.executable} is {sys.implementation.name} {version}; "
                "only CPython 3.11 and newer can be recorded"
            )
        else:
            _load_agent(folder)
    except Exception as error:
        import contextlib

        with contextlib.suppress(Exception):
            _say(f"{sys.executable} cannot be recorded: {error}")


_start()
del sys.modules["sitecustomize"]
import sitecustomize  # noqa: E402, F401  the user's own, or the ImportError Python expects
