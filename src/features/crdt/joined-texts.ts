import type * as Y from "yjs";
import type { EditableText } from "./text-changes.ts";

/** Adjacent texts that are read as one. Clients that type at once into an empty paragraph write two. */
export class JoinedTexts implements EditableText {
  readonly #texts: readonly Y.Text[];

  constructor(texts: readonly Y.Text[]) {
    this.#texts = texts;
  }

  insert(index: number, text: string): void {
    let start = 0;
    for (const shared of this.#texts) {
      const end = start + shared.length;
      if (index <= end) {
        shared.insert(index - start, text);
        return;
      }
      start = end;
    }
  }

  delete(index: number, length: number): void {
    let start = 0;
    for (const shared of this.#texts) {
      const end = start + shared.length;
      const from = Math.max(start, index);
      const count = Math.min(end, index + length) - from;
      if (count > 0) shared.delete(from - start, count);
      start = end;
    }
  }
}
