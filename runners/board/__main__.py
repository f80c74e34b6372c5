"""The entry of a bundle. Python 2 and 3.3 can read it, so that an old one is told what is missing."""

import os
import sys

BUNDLE = os.path.dirname(os.path.abspath(__file__))
OLDEST = (3, 9)


def unpacked(bundle):
    """The bundle's content as a folder, made once beside it, else in the folder for temporary files.

    Its name holds the sha256: a bundle that took the place of another one is unpacked again.
    """
    import hashlib

    with open(bundle, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:16]
    beside = "%s.%s.d" % (bundle, digest)
    return beside if is_own(beside) else unpack(bundle, [beside, elsewhere(digest)])


def is_own(folder):
    return os.path.isdir(folder) and os.stat(folder).st_uid == os.getuid()


def elsewhere(digest):
    import tempfile

    return os.path.join(tempfile.gettempdir(), "tokassay-%d-%s" % (os.getuid(), digest))


def unpack(bundle, places):
    """The first of some folders that is there or can be made."""
    import shutil
    import zipfile

    for place in filter(is_own, places):
        return place
    for place in places:
        partial = "%s.%d" % (place, os.getpid())
        try:
            os.mkdir(partial, 0o700)
            with zipfile.ZipFile(bundle) as archive:
                archive.extractall(partial)
            os.rename(partial, place)
        except OSError as error:
            shutil.rmtree(partial, ignore_errors=True)
            reason = error
        else:
            return place
    sys.exit("the bundle cannot be unpacked: %s" % reason)


def open_engine(address, seconds):
    """An adapter is found by name; the rest of the kit's discovery needs a newer Python."""
    import importlib

    from tokassay.checks.engine import UnavailableError

    name, _, argument = address.partition(":")
    try:
        adapter = importlib.import_module("tokassay.engines." + name)
        if not getattr(adapter, "ISOLATED", False):
            return adapter.open_engine(argument)
        from tokassay.engines.wire import Limits

        patience = max(120.0, 10.0 * seconds)  # a slow board may need long to start an interpreter
        limits = Limits(seconds=seconds, load_seconds=patience, start_seconds=patience)
        return adapter.open_engine(argument, limits)
    except UnavailableError:
        raise
    except ImportError as error:
        raise UnavailableError("no engine %r on this board: %s" % (name, error))
    except Exception as error:
        raise UnavailableError("%s: %s: %s" % (name, type(error).__name__, error))


def version():
    """Read by the importer that is at work already: zipfile would cost as much as the interpreter's start."""
    return __loader__.get_data(os.path.join(BUNDLE, "version.txt")).decode("ascii").strip()


def main():
    if sys.version_info < OLDEST:
        sys.exit("Python %d.%d or newer is needed, this is %s" % (OLDEST + (sys.version.split()[0],)))
    if sys.argv[1:] == ["--version"]:
        print(version())
        return 0
    from pathlib import Path

    folder = unpacked(BUNDLE)
    sys.path.insert(0, os.path.join(folder, "impl"))
    from tokassay.device.main import main as run

    return run(sys.argv[1:], Path(BUNDLE), Path(folder), open_engine)


if __name__ == "__main__":
    sys.exit(main())
