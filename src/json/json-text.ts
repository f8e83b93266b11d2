const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Returns the position behind the value that begins at a position of a valid JSON text. */
export function findValueEnd(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) {
      at = findStringEnd(json, at);
      if (depth === 0) return at + 1;
    } else if (character === OPEN_OBJECT || character === OPEN_ARRAY) depth++;
    else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) {
      // A number or a word ends with the object or array around it.
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (character === COMMA && depth === 0) return at;
  }
  return json.length;
}

/** Returns the position of the quote that ends the string which begins at a position. */
function findStringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return json.length;
}

/** Returns the part to cut from a JSON text so that an object loses a field: with the comma behind or before it. */
export function findMemberCut(json: string, start: number, end: number): { start: number; end: number } {
  let [first, behind] = [start, end];
  if (json.charCodeAt(behind) === COMMA) {
    do behind++;
    while (json.charCodeAt(behind) === SPACE);
  } else {
    while (json.charCodeAt(first - 1) === SPACE) first--;
    if (json.charCodeAt(first - 1) === COMMA) first--;
  }
  return { start: first, end: behind };
}

/** Returns the JSON text of an object with the texts of its values converted. */
export function mapMembers(json: string, convert: (value: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 1; json.charCodeAt(at) === QUOTE; ) {
    const valueStart = json.indexOf(":", findStringEnd(json, at)) + 1;
    const end = findValueEnd(json, valueStart);
    parts.push(json.slice(from, valueStart), convert(json.slice(valueStart, end)));
    from = end;
    at = end + 1;
  }
  parts.push(json.slice(from));
  return parts.join("");
}
