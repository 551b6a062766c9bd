// JSON as Python takes decisions (labels/decision_files.py): JSON.parse keeps the last of two equal keys, and reads 1.0 as 1.

// What a text says, or an error in a few words. Only the value of the key `fraction` may be a number that is not whole.
export function parseStrictly(text, fraction) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  checkText(text, fraction);
  return content;
}

// Refuses keys that an object has twice, and numbers that are not written as whole ones. The text is JSON already.
function checkText(text, fraction) {
  const open = []; // of each list and object around: the keys so far
  let key = null; // the last one
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") open.push(new Set());
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = endOfText(text, at);
      if (isKey(text, end)) {
        key = JSON.parse(text.slice(at, end + 1));
        addKey(open.at(-1), key);
      }
      at = end;
    } else if (key !== fraction && (character === "." || /[eE]/.test(character))) checkNumber(text, at);
  }
}

// The place of the quote that ends a text.
function endOfText(text, start) {
  let end = start;
  let slashes = 1;
  while (slashes % 2 === 1 || end === start) {
    end = text.indexOf('"', end + 1);
    for (slashes = 0; text[end - 1 - slashes] === "\\"; ) slashes++;
  }
  return end;
}

function isKey(text, end) {
  let next = end + 1;
  while (/\s/.test(text[next] ?? "")) next++;
  return text[next] === ":";
}

function addKey(keys, key) {
  if (keys.has(key)) throw new Error("an object has a key twice");
  keys.add(key);
}

// A point or an exponent follows a digit; the letters of true and false do not.
function checkNumber(text, at) {
  if (/\d/.test(text[at - 1] ?? "")) throw new Error("a number is not written as a whole one");
}
