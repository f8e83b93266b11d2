/** Stands for a character that XML cannot hold. It may be a part of names. */
const REPLACEMENT = "\ufffd";

const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const NAME_START =
  ":A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c-\\u200d\\u2070-\\u218f" +
  "\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}";
const NOT_IN_NAME = new RegExp(`[^${NAME_START}.0-9\\u00b7\\u0300-\\u036f\\u203f-\\u2040-]`, "gu");
const NAME_STARTS = new RegExp(`^[${NAME_START}]`, "u");

/** Returns a text of the same length that XML can hold. Users paste control characters, such as of slides. */
export function toXmlText(text: string): string {
  return text.replace(NOT_IN_XML, REPLACEMENT);
}

/** Returns a name that XML can hold. Clients may name elements and attributes by any text. */
export function toXmlName(name: string): string {
  const replaced = name.replace(NOT_IN_NAME, REPLACEMENT);
  return NAME_STARTS.test(replaced) ? replaced : REPLACEMENT + replaced;
}
