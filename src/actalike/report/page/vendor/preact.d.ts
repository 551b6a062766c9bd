// What the pages use of preact.js.

/** What a template makes: an element of Preact, a text, or a list of them. */
export type View = any;

export function html(strings: TemplateStringsArray, ...values: unknown[]): View;
export function render(view: View, parent: Element): void;
