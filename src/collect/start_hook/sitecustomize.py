"""Begins recording in each interpreter of a recorded run, then makes room for the user's own
sitecustomize. Python imports this module before the program's first line.

Children may be any Python: this file must be read by all of them, the second version included.
"""

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
        notices = _socket.socket(_socket.AF_UNIX, _socket.SOCK_DGRAM)
        try:
            notices.sendto(sentence.encode()[:500], b"\0" + name)
        finally:
            notices.close()


def _why_not():
    """Why this interpreter cannot be recorded; nothing if it can."""
    implementation = getattr(sys, "implementation", None)
    kind = implementation.name if implementation else "cpython"
    if kind != "cpython" or sys.version_info < (3, 11):
        name = "CPython" if kind == "cpython" else kind
        version = ".".join(map(str, sys.version_info[:3]))
        return name + " " + version + "; only CPython 3.11 and newer can be recorded"
    if "t" in sys.abiflags:  # its objects are laid out differently: loading would crash
        return (
            "a free-threaded build of Python, which cannot be recorded; "
            "name one with the GIL with --python"
        )
    return None


def _start():
    folder = __file__.rpartition("/")[0]
    # The program sees the search path it would have without us.
    sys.path[:] = [entry for entry in sys.path if entry != folder]
    sys.path_importer_cache.pop(folder, None)
    try:
        reason = _why_not()
        if reason:
            _say(sys.executable + " is " + reason)
        else:
            _load_agent(folder)
    except Exception as error:
        if "subinterpreters" in str(error):
            return  # who runs in those is recorded as every thread is
        try:  # noqa: SIM105  the second version has no contextlib.suppress
            _say(sys.executable + " cannot be recorded: " + str(error))
        except Exception:
            pass


_start()
del sys.modules["sitecustomize"]
import sitecustomize  # noqa: E402, F401  the user's own, or the ImportError Python expects
