"""How people work with a page: with a mouse, with a finger, by keyboard alone."""

import re

# What a reader of the page can tell about the element that has the focus, after a key was pressed.
_LOOK = """target => {
  const before = window.stoodOn;
  const now = document.activeElement;
  const style = getComputedStyle(now);
  const box = now.getBoundingClientRect();
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  window.stoodOn = now;
  return {
    name: now.getAttribute("aria-label") ?? now.textContent.slice(0, 40) ?? now.tagName,
    isTarget: now === target,
    hasRing: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    isSeen: left < right && top < bottom && (now.contains(there) || there?.contains(now)),
    isAhead: Boolean(before.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING),
  };
}"""
# Where the target is, seen from the element that has the focus, which is kept for the first look.
_WAY = """target => {
  const now = document.activeElement;
  window.stoodOn = now;
  if (now === target) return "there";
  const isAhead = now === document.body || now.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING;
  return isAhead ? "Tab" : "Shift+Tab";
}"""


class Mouse:
    """Press what is seen, type on a keyboard."""

    def __init__(self, page):
        self.page = page

    def press(self, target):
        target.click()

    def pick(self, option):
        """Take what was found by typing; ``option`` is the first of the list."""
        self.press(option)

    def write(self, field, text):
        """Replace the text of a field."""
        self.press(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)


class Finger(Mouse):
    """Tap what is seen, type on the keyboard of the screen."""

    def press(self, target):
        target.tap()


class Keyboard(Mouse):
    """Go from one element to the next with Tab, or back. Every stop must be seen to have the focus, in the order of the page."""

    def press(self, target):
        self.go_to(target)
        self.page.keyboard.press("Enter")

    def pick(self, option):
        self.page.keyboard.press("Enter")

    def write(self, field, text):
        self.go_to(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def go_to(self, target, most=150):
        handle = target.element_handle()
        way = handle.evaluate(_WAY)
        if way == "there":
            return
        for _ in range(most):
            self.page.keyboard.press(way)
            seen = handle.evaluate(_LOOK)
            assert seen["hasRing"], f"{seen['name']!r} has the focus, and nobody can see it"
            assert seen["isSeen"], f"{seen['name']!r} has the focus, and is covered or outside the window"
            if seen["isTarget"]:
                return
            assert seen["isAhead"] == (way == "Tab"), f"{seen['name']!r} has the focus out of turn"
        raise AssertionError(f"{target} is not reached by {most} steps")


def exactly(text):
    """A pattern that matches a text and nothing more."""
    return re.compile(f"^{re.escape(text)}$")
