/** A percent sign that was encoded any number of times. */
const PERCENT = "%(?:25)*";
const ENCODED_RUN = /(?:%(?:25)*[\da-f]{2})+/gi;
/** Maximum number of times that a text is decoded. */
const MAX_DEPTH = 4;

/** Source of a regular expression that matches an encoded character that ends a word, ID or address. */
export const ENCODED_SEPARATOR = `${PERCENT}(?:0[9aAdD]|2[0-46-9aAcCfF]|3[a-fA-F]|40|5[b-eB-E]|60|7[b-eB-E])`;

/**
 * Returns the source of a regular expression that matches a text. Each character but ASCII letters and digits may
 * be percent-encoded, any number of times.
 */
export function matchEncoded(text: string): string {
  return text.replace(/[^a-z\d]/giu, (character) => {
    const bytes = [...Buffer.from(character)].map((byte) => PERCENT + getHex(byte).replace(/[a-f]/g, matchAnyCase));
    return `(?:${[RegExp.escape(character), ...(character === " " ? ["\\+"] : []), bytes.join("")].join("|")})`;
  });
}

function matchAnyCase(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`;
}

function getHex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/**
 * Returns the encoded spellings of a text that encoders produce, without the text itself. A percent sign in them stands
 * for one that may be encoded again, and a space may be a plus sign, which is for the caller to allow.
 */
export function getEncodedSpellings(text: string): string[] {
  const wellFormed = text.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(/[!'()*]/g, (character) => `%${getHex(character.charCodeAt(0))}`);
  const spellings = new Set([component, strict, encodeURI(wellFormed), wellFormed.replaceAll("@", "%40")]);
  spellings.delete(text);
  return [...spellings];
}

/** Returns a whole text without percent-encoding; the text as it is if it has none. */
export function decodeText(text: string): string {
  let decoded = text;
  for (let depth = 0; depth < MAX_DEPTH && decoded.includes("%"); depth++) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return decoded;
    }
  }
  return decoded;
}

/** Returns a text in which what is percent-encoded is decoded, or a space if that is not a text. */
export function decodeParts(text: string): string {
  return text.replace(ENCODED_RUN, (run) => {
    try {
      return decodeURIComponent(run.replace(/%(?:25)*([\da-f]{2})/gi, "%$1"));
    } catch {
      return " ";
    }
  });
}
