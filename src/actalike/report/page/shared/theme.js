// Light or dark, as the reader's system says; on paper always light.

const dark = () => matchMedia("(prefers-color-scheme: dark)");

export const theme = {
  printing: false,
  get isDark() {
    return dark().matches && !this.printing;
  },
};

export const onThemeChange = (act) => dark().addEventListener("change", act);

// A colour of the style sheet, such as "--ink".
export const styleColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Acts once in the next frame, however often it is called before; a printer does not wait.
export function soon(act) {
  let waiting = false;
  return () => {
    if (theme.printing) act();
    if (waiting || theme.printing) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
}
