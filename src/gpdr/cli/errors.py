"""How a command ends: its exit status, and one line on stderr when something went wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import typer

from gpdr.errors import InputError

WRONG_INPUT = 2
FAILED = 1
INTERRUPTED = 130

# A path that cannot be used is wrong input; anything else (a full disk, a broken device) is not the user's doing.
_WRONG_PATH = (FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError)

_PLAINER = {
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "a valid integer": "a whole number",
    "a valid number": "a number",
}


def exit_status(app: typer.Typer, arguments: Sequence[str]) -> int:
    """Run the program and say how it ended."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without some letter is no reason to end
    if os.environ.get("GPDR_TRACEBACK"):
        return _run(app, arguments)
    try:
        return _run(app, arguments)
    except InputError as error:
        return _say(str(error), WRONG_INPUT)
    except typer.TyperException as error:
        message = _usage(error)  # empty where typer has already shown the help
        return _say(message, error.exit_code) if message else error.exit_code
    except typer.Abort:
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader left (`| head`): keep Python from complaining again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return _say(what, WRONG_INPUT if isinstance(error, _WRONG_PATH) else FAILED)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return _say(f"internal error, {reason}; set GPDR_TRACEBACK=1 for the traceback", FAILED)


def _run(app: typer.Typer, arguments: Sequence[str]) -> int:
    status = app(args=list(arguments), prog_name="gpdr", standalone_mode=False)
    sys.stdout.flush()
    if status == INTERRUPTED:  # typer has turned a KeyboardInterrupt into this
        return _say("interrupted", INTERRUPTED)
    return status if isinstance(status, int) else 0


def _usage(error: typer.TyperException) -> str:
    """Typer's complaint; about a value, in the order of ours: which option, what was expected, what came."""
    parameter, reasons = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if parameter is None or reasons is None:
        message, context = error.format_message(), getattr(error, "ctx", None)
        if _may_be_an_expression(error):
            return f"{message.rstrip('.')}; before an expression that starts with - write --, as in -- '-M'"
        return f"{message.rstrip('.')}; see {context.command_path} --help" if message and context else message
    reason, option = reasons()[0], max(parameter.opts, key=len)
    if not reason["msg"].startswith("Input should be"):
        return f"{option}: {reason['msg'].removeprefix('Value error, ')}"
    expected = reason["msg"].partition(",")[0].removeprefix("Input should be ")
    for theirs, ours in _PLAINER.items():
        expected = expected.replace(theirs, ours)
    return f"{option}: expected {expected}, got {reason['input']!r}"


def _may_be_an_expression(error: typer.TyperException) -> bool:
    """Whether what was taken for an option, such as -i, may be an expression with a minus."""
    option, context = getattr(error, "option_name", "--"), getattr(error, "ctx", None)
    takes_one = context is not None and any(parameter.name == "expression" for parameter in context.command.params)
    return takes_one and not option.startswith("--")


def _say(message: str, status: int) -> int:
    print("gpdr:", " ".join(message.split()), file=sys.stderr)
    return status
