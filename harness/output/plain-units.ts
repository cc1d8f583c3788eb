const slash = 0x2f;
const backslashByte = 0x5c;
const percentByte = 0x25;
const ampersand = 0x26;
const tilde = 0x7e;
const hash = 0x23;
const semicolon = 0x3b;
const zeroByte = 0x30;
const u = 0x75;
const x = 0x78;
/** The longest escape that is undone, `&#x0000073;`, in units. */
const longestEscape = 12;

/** A text as secrets are looked for in it. */
export interface PlainUnits {
  readonly units: Uint16Array;
  /** Where each unit begins in the text, with the end of the text behind the last; `undefined` where each is one of it. */
  readonly starts: Uint32Array | undefined;
}

/** What an escape begins with, or is. */
const escapes = /[%\\]|&(?:#|amp;|lt;|gt;|quot;|apos;)|~[01]/i;
/** What XML and HTML have names for. */
const named = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }).map(([name, character]) => [
    name,
    character.charCodeAt(0),
  ]),
);

/** Every way in which a text can be read: as it stands, and where it has escapes, with those undone. */
export function readings(text: string): readonly PlainUnits[] {
  const plain = { units: folded(text), starts: undefined };
  return escapes.test(text) ? [plain, undoneUnits(text)] : [plain];
}

/** Letters become lower case, `+` and `/` become `-` and `_`, as in base64url. */
function folded(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < units.length; at += 1) units[at] = fold(text.charCodeAt(at));
  return units;
}

function fold(unit: number): number {
  if (unit >= 65 && unit <= 90) return unit + 32;
  if (unit === 43) return 45;
  return unit === slash ? 95 : unit;
}

/** Undoes `%73`, `\u0073`, `\x73`, `\/`, `\_`, `&#115;`, `&#x73;`, `&amp;` and `~1`, in any order and as often as they were made. */
function undoneUnits(text: string): PlainUnits {
  const units = new Uint16Array(text.length);
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  let lastIntroduced = -longestEscape;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    starts[length] = at;
    units[length] = fold(unit);
    length += 1;
    if (length - lastIntroduced <= longestEscape) {
      // What an escape stands for may end another one: `%2573`.
      for (let found = escapeAtEnd(units, length, unit); found !== undefined;) {
        length = found.start + 1;
        units[found.start] = fold(found.unit);
        if (isIntroducer(found.unit)) lastIntroduced = found.start;
        found = escapeAtEnd(units, length, found.unit);
      }
    }
    if (isIntroducer(unit) && units[length - 1] === unit) lastIntroduced = length - 1;
  }
  starts[length] = text.length;
  return { units: units.subarray(0, length), starts: starts.subarray(0, length + 1) };
}

function isIntroducer(unit: number): boolean {
  return unit === percentByte || unit === backslashByte || unit === ampersand || unit === tilde;
}

interface Escape {
  readonly start: number;
  readonly unit: number;
}

/** The escape that the last unit ends, if it ends one; `last` is that unit as it stood. */
function escapeAtEnd(units: Uint16Array, length: number, last: number): Escape | undefined {
  const before = units[length - 2];
  if (before === backslashByte && isPunctuation(last)) return { start: length - 2, unit: last };
  // Of a JSON Pointer.
  if (before === tilde && last === zeroByte) return { start: length - 2, unit: tilde };
  if (before === tilde && last === zeroByte + 1) return { start: length - 2, unit: slash };
  if (last === semicolon) return characterReference(units, length);
  if (hexValue(units[length - 1]) < 0) return undefined;
  if (units[length - 3] === percentByte) return hexEscape(units, length - 3, length - 2, length);
  if (units[length - 4] === backslashByte && units[length - 3] === x)
    return hexEscape(units, length - 4, length - 2, length);
  if (units[length - 6] === backslashByte && units[length - 5] === u)
    return hexEscape(units, length - 6, length - 4, length);
  return undefined;
}

function hexEscape(units: Uint16Array, start: number, from: number, to: number): Escape | undefined {
  const unit = numberInUnits(units, from, to, 16);
  return unit < 0 ? undefined : { start, unit };
}

/** What JSON, or Markdown, has a backslash before. */
function isPunctuation(unit: number): boolean {
  return (
    (unit > 32 && unit < 48) ||
    (unit > 57 && unit < 65) ||
    (unit > 90 && unit < 97) ||
    (unit > 122 && unit < 127)
  );
}

/** `&#115;`, `&#x73;` or `&amp;`, of which the last unit is the `;`. */
function characterReference(units: Uint16Array, length: number): Escape | undefined {
  for (let start = length - 4; start >= 0 && start >= length - longestEscape; start -= 1) {
    if (units[start] !== ampersand) continue;
    if (units[start + 1] !== hash) {
      const unit = named.get(String.fromCharCode(...units.subarray(start + 1, length - 1)));
      return unit === undefined ? undefined : { start, unit };
    }
    const isHex = units[start + 2] === x;
    const unit = numberInUnits(units, start + (isHex ? 3 : 2), length - 1, isHex ? 16 : 10);
    return unit < 0 || unit > 0xffff ? undefined : { start, unit };
  }
  return undefined;
}

function numberInUnits(units: Uint16Array, from: number, to: number, base: number): number {
  let number = to > from ? 0 : -1;
  for (let at = from; at < to && number >= 0; at += 1) {
    const digit = hexValue(units[at]);
    number = digit < 0 || digit >= base ? -1 : number * base + digit;
  }
  return number;
}

function hexValue(unit = 0): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  return unit >= 97 && unit <= 102 ? unit - 87 : -1;
}
