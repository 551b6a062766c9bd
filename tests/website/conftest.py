"""The site, built once as ``make docs`` builds it, served on this machine, and opened in a browser that reaches nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.helpers.requirements import missing, need_results

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    need_results()
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    paths = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": paths, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if "No module named mkdocs" in done.stderr:
        missing("mkdocs", "it is in the dependency group docs")
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        """Say nothing of requests."""


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=site))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visit(browser, address):
    """Open a page of the site; an error on it, or a request to anywhere else, fails the test."""
    contexts, problems, requests = [], [], []

    def open_(path="index.html", width=1280, height=900, color_scheme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=color_scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"{page.url}: {message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{address}/{path}")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert problems == []
    assert [url for url in requests if not url.startswith((f"{address}/", "blob:", "data:"))] == []
