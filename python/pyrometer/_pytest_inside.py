"""Records a session of pytest that is a part of another program, which cannot be started anew: from
its beginning to its end, without workers.
"""

import pytest

from pyrometer._pytest_restart import make_folder, output_name
from pyrometer._recording import Recording, RecordingError, start


def start_inside(config: pytest.Config) -> Recording:
    """UsageError says why there is none."""
    options = config.option
    if getattr(options, "tx", None):
        raise pytest.UsageError(
            "--pyrometer cannot record workers of pytest-xdist inside a program; "
            "start that program with 'pyrometer run --memory'."
        )
    try:
        return start(
            output_name(make_folder(options)),
            rate=options.pyrometer_rate,
            exact=options.pyrometer_engine == "exact",
            lines=options.pyrometer_engine == "lines",
            memory=options.pyrometer_memory != "none" and options.pyrometer_memory,
            overwrite=True,
        )
    except RecordingError as error:
        raise pytest.UsageError(f"--pyrometer: {error}.") from None
