export interface Span {
  kind: "text" | "code" | "bold";
  text: string;
}

export interface Block {
  kind: "heading" | "paragraph" | "list";
  /** The items of a list; a heading or paragraph has one line. */
  lines: Span[][];
}

/** Parses the Markdown that the service's descriptions use: headings, paragraphs, lists, code and bold text. */
export function parseMarkdown(text: string): Block[] {
  const blocks: { kind: Block["kind"]; texts: string[] }[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    if (line.trim() === "") {
      isOpen = false;
    } else if (line.startsWith("## ")) {
      blocks.push({ kind: "heading", texts: [line.slice(3)] });
      isOpen = false;
    } else if (line.startsWith("- ")) {
      if (isOpen && last?.kind === "list") last.texts.push(line.slice(2));
      else blocks.push({ kind: "list", texts: [line.slice(2)] });
      isOpen = true;
    } else {
      if (isOpen && last) last.texts.push(`${last.texts.pop()} ${line.trim()}`);
      else blocks.push({ kind: "paragraph", texts: [line] });
      isOpen = true;
    }
  }
  return blocks.map(({ kind, texts }) => ({ kind, lines: texts.map(parseSpans) }));
}

function parseSpans(text: string): Span[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).flatMap((part): Span[] => {
    if (part === "") return [];
    if (/^`.+`$/.test(part)) return [{ kind: "code", text: part.slice(1, -1) }];
    if (/^\*\*.+\*\*$/.test(part)) return [{ kind: "bold", text: part.slice(2, -2) }];
    return [{ kind: "text", text: part }];
  });
}
