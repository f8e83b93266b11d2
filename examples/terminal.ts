/** Layout for a terminal of 80 columns. */
const COLUMNS = 80;
const WIDE =
  /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}|[\u3000-\u303f\uff01-\uff60]/u;
const graphemes = new Intl.Segmenter();

/** One line, cut where it is too long. Nothing in it may move the cursor or turn the line around. */
export function oneLine(text: string): string {
  const line = clean(text);
  if (widthOf(line) <= COLUMNS) return line;
  let kept = "";
  let room = COLUMNS - "…".length;
  for (const { segment } of graphemes.segment(line)) {
    room -= widthOf(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** As many lines as it takes, all behind the width of `label`; what does not fit into a line is cut. */
export function wrap(label: string, text: string): string {
  const indent = " ".repeat(label.length + 2);
  const lines: string[] = [];
  let line = `  ${label}`;
  let isEmpty = true;
  for (const word of clean(text).split(" ").filter(Boolean)) {
    if (!isEmpty && widthOf(`${line} ${word}`) > COLUMNS) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].map(oneLine).join("\n");
}

export function rule(character: string): string {
  return character.repeat(COLUMNS);
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Separated by commas. */
export function listed(items: (string | undefined)[]): string {
  return items.map((item) => item ?? "?").join(", ");
}

/** Without what moves the cursor of the reader's terminal, or turns the line around. */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ");
}

function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
