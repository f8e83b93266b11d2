const COLUMNS = 80;
/** Characters that take two columns. */
const WIDE =
  /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}|[\u3000-\u303f\uff01-\uff60]/u;
const graphemes = new Intl.Segmenter();

/** Returns the text as one line of at most 80 columns. */
export function truncate(text: string): string {
  const line = sanitize(text);
  if (getWidth(line) <= COLUMNS) return line;
  let truncated = "";
  let room = COLUMNS - "…".length;
  for (const { segment } of graphemes.segment(line)) {
    room -= getWidth(segment);
    if (room < 0) break;
    truncated += segment;
  }
  return `${truncated.trimEnd()}…`;
}

/** Wraps the text into lines of at most 80 columns, indented by the width of `label`. Truncates longer words. */
export function wrap(label: string, text: string): string {
  const indent = " ".repeat(label.length + 2);
  const lines: string[] = [];
  let line = `  ${label}`;
  let isEmpty = true;
  for (const word of sanitize(text).split(" ").filter(Boolean)) {
    if (!isEmpty && getWidth(`${line} ${word}`) > COLUMNS) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].map(truncate).join("\n");
}

/** Returns a line across the terminal. */
export function rule(character: string): string {
  return character.repeat(COLUMNS);
}

export function formatCount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** Replaces characters that move the cursor of a terminal or change the direction of text. */
export function sanitize(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ");
}

function getWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
