"""Start a PostgreSQL of its own in a temporary folder, on a free port of this machine, and stop it afterwards.

It is quick to start and to load and keeps nothing: after a crash of the machine its data would be lost, and nobody needs them.
PostgreSQL does not run as root, so root runs it as the user ``postgres``, or else ``nobody``.
"""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import AF_UNIX, socket
from typing import Any, NamedTuple

USER, PASSWORD, DATABASE = "analyst", "s3cret-w0rd", "shop"
_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "20",
}
_PATIENCE = 60  # seconds until the server answers


class Server(NamedTuple):
    """Hold where a server runs, and what the owner of its tables needs to connect."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """Return the address of the database, with the password."""
        return f"postgres://{USER}:{PASSWORD}@{self.host}:{self.port}/{DATABASE}"


def find_programs() -> Path | None:
    """Return the folder of initdb and postgres: that on the path, or the newest of Debian's; None if there is none."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(map(Path, glob.glob("/usr/lib/postgresql/*/bin")), key=_version, reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def _version(folder: Path) -> int:
    name = folder.parent.name
    return int(name) if name.isdigit() else 0


@contextmanager
def running_postgres(programs: Path, **settings: str) -> Iterator[Server]:
    """Make an empty database and serve it. ``settings`` are PostgreSQL's, beside those that make it quick."""
    as_user = _other_user() if os.getuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="actalike-postgres-"))
    process = None
    try:
        password = folder / "password"
        password.write_text(PASSWORD)
        if as_user:
            for place in (folder, password):
                os.chown(place, as_user["user"], as_user["group"])
        data = folder / "data"
        _run(
            [programs / "initdb", "--no-sync", "--no-instructions", "-D", data, "-U", USER, "--pwfile", password, "-A", "scram-sha-256", "-E", "UTF8",
             "--locale=C.UTF-8"],
            as_user,
        )  # fmt: skip
        port = _free_port()
        options = {
            **_SETTINGS,
            **settings,
            "port": str(port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(folder),
        }
        command = [
            programs / "postgres",
            "-D",
            data,
            *(word for name, value in options.items() for word in ("-c", f"{name}={value}")),
        ]
        with (folder / "postgres.log").open("wb") as log:
            process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, cwd=folder, **as_user)
        _wait(process, folder / f".s.PGSQL.{port}", folder / "postgres.log")
        _create_database(port)
        yield Server("127.0.0.1", port)
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # ends the sessions that are still open
            process.wait(timeout=_PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


def _other_user() -> dict[str, Any]:
    """Return the arguments by which a process is started as a user who is not root."""
    names = [name for name in ("postgres", "nobody") if any(user.pw_name == name for user in pwd.getpwall())]
    user = pwd.getpwnam(names[0])
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _run(command: list[Any], as_user: dict[str, Any]) -> None:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd="/", **as_user)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.strip()}")


def _free_port() -> int:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _wait(process: subprocess.Popen[bytes], address: Path, log: Path) -> None:
    """Wait until the server listens."""
    end = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < end:
        with socket(AF_UNIX) as client:
            try:
                client.connect(str(address))
                return
            except OSError:
                time.sleep(0.02)
    raise RuntimeError(f"PostgreSQL does not start: {log.read_text(errors='replace')[-1000:]}")


def _create_database(port: int) -> None:
    import psycopg

    end = time.monotonic() + _PATIENCE
    while True:
        try:
            with psycopg.connect(
                host="127.0.0.1", port=port, user=USER, password=PASSWORD, dbname="postgres", autocommit=True
            ) as connection:
                connection.execute(f"CREATE DATABASE {DATABASE}")
                return
        except psycopg.OperationalError:  # "the database system is starting up"
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
