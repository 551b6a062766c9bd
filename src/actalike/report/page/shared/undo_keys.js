// Undo and redo by keyboard, unless somebody is typing or a dialog is open.
export function undoByKeyboard(choices) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog[open]")) return;
    const focused = document.activeElement;
    if (focused?.tagName === "TEXTAREA" || (focused?.tagName === "INPUT" && focused.type === "text")) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) choices.undo();
    else if (key === "y" || key === "z") choices.redo();
    else return;
    event.preventDefault();
  });
}
