// Frames ([left, top, right, bottom]) and dots ([x, y, radius]) in a picture.

export const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

export const touches = (frame, [x, y, radius]) =>
  Math.hypot(x - Math.max(frame[0], Math.min(x, frame[2])), y - Math.max(frame[1], Math.min(y, frame[3]))) < radius;
