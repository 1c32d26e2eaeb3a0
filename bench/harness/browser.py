"""The distribution's Chromium, driven by Playwright, and what a page takes in it."""

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# Root may not have a sandbox; software rendering is what login nodes and remote desktops have.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    if CHROMIUM is None:
        raise FileNotFoundError("there is no Chromium; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*ARGUMENTS, *arguments]
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def served_view(executable: Path, *words: object) -> Iterator[str]:
    """The address at which `pyrometer view` shows the profiles."""
    command = [str(executable), "view", "--no-open", "--json", *map(str, words)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        if not line:
            raise RuntimeError(f"pyrometer view ended: {server.communicate()[1]}")
        yield json.loads(line)["url"]
    finally:
        server.terminate()
        output, errors = server.communicate(timeout=10)
        if (server.returncode, output, errors) != (0, "", ""):
            raise RuntimeError(f"pyrometer view: {server.returncode} {output}{errors}")


class QuietHandler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served_folder(folder: Path) -> Iterator[str]:
    handler = partial(QuietHandler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


# Notes when something was first drawn, on a canvas of either kind or as the first shape of a
# drawing in the document, and when the frame that shows it was over.
WATCH = """
(() => {
  const drawn = () => {
    if (window.openedAfter !== undefined) return
    window.openedAfter = 0
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.openedAfter = performance.now()
    }))
  }
  const hook = (type, name) => {
    const original = type.prototype[name]
    type.prototype[name] = function (...words) {
      if (this.canvas.isConnected && this.canvas.width > 300) drawn()
      return original.apply(this, words)
    }
  }
  hook(CanvasRenderingContext2D, 'drawImage')
  hook(CanvasRenderingContext2D, 'putImageData')
  hook(WebGLRenderingContext, 'drawArrays')
  hook(WebGLRenderingContext, 'drawElements')
  const look = () => {
    if (document.querySelector('#chart svg :is(rect, path)')) drawn()
    if (window.openedAfter === undefined) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()
"""

# When the first frame was over, in ms. Not Playwright's waiting: pages forbid what that evaluates.
OPENED = """
limit => new Promise((done, fail) => {
  const look = () => {
    if (window.openedAfter > 0) done(window.openedAfter)
    else if (performance.now() > limit) fail(new Error('nothing was drawn'))
    else setTimeout(look, 5)
  }
  look()
})
"""

# Zooms in and out at one point, an event a frame, and returns how long the frames took.
ZOOM = """
async frames => {
  const area = each => each.clientWidth * each.clientHeight
  const canvas = [...document.querySelectorAll('canvas')].sort((a, b) => area(b) - area(a))[0]
  if (!canvas) return []
  const box = canvas.getBoundingClientRect()
  const place = { clientX: box.left + box.width * 0.37, clientY: box.top + box.height * 0.3 }
  const target = document.elementFromPoint(place.clientX, place.clientY)
  const frame = () => new Promise(done => requestAnimationFrame(done))
  const times = []
  await frame()
  let last = performance.now()
  for (let i = 0; i < frames; ++i) {
    const deltaY = i < frames / 2 ? -50 : 50
    const options = { ...place, deltaY, ctrlKey: true, bubbles: true, cancelable: true }
    target.dispatchEvent(new WheelEvent('wheel', options))
    await frame()
    const now = performance.now()
    times.push(now - last)
    last = now
  }
  return times
}
"""

# Types a text into the search and returns how long the page was busy with it.
SEARCH = """
async text => {
  const box = document.querySelector('#search')
  const before = performance.now()
  box.value = text
  box.dispatchEvent(new Event('input', { bubbles: true }))
  await new Promise(done => setTimeout(done))
  return performance.now() - before
}
"""


@dataclass
class Opened:
    seconds: float
    heap: float  # bytes, with what typed arrays hold
    frames: list[float]  # ms


def open_page(page: Page, address: str, zoom_frames: int = 120, timeout: int = 120) -> Opened:
    page.add_init_script(WATCH)
    page.set_default_timeout(1000 * timeout)
    page.goto(address)
    seconds: float = page.evaluate(OPENED, 1000 * timeout) / 1000
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    heap = usage["usedSize"] + usage.get("backingStorageSize", 0)
    frames: list[float] = page.evaluate(ZOOM, zoom_frames) if zoom_frames else []
    return Opened(seconds, heap, frames)
