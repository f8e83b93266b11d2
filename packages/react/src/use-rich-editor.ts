import { type RefObject, useEffect, useRef, useState } from "react";
import type { Format, MentionQuery, RichEditor } from "./rich-editor.ts";
import { type RichNode, textToRich } from "./rich-text.ts";

/** A field for rich text, whose script is loaded with it. Until then it is a field for plain text. */
export interface EditorField {
  root: RefObject<HTMLDivElement | null>;
  /** The editor, once it is loaded. */
  editor: RefObject<RichEditor | undefined>;
  isEmpty: boolean;
  /** Formats at the cursor. */
  formats: ReadonlySet<Format>;
  /** The mention that the user is writing. */
  query: MentionQuery | undefined;
  getContent: () => RichNode[];
  setContent: (nodes: RichNode[]) => void;
  focus: () => void;
}

const NO_FORMATS: ReadonlySet<Format> = new Set();

interface EditorFieldOptions {
  initial: () => RichNode[];
  isEditable: boolean;
  /** Called after each change of the content. */
  onChange: () => void;
}

/** Makes an element a field for rich text. */
export function useRichEditor(options: EditorFieldOptions): EditorField {
  const { isEditable } = options;
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<RichEditor>(undefined);
  const latest = useRef(options);
  latest.current = options;
  const [isEmpty, setEmpty] = useState(true);
  const [formats, setFormats] = useState(NO_FORMATS);
  const [query, setQuery] = useState<MentionQuery>();

  function updateEmpty(): void {
    // A list without text is not empty: its marker is visible.
    const element = root.current;
    setEmpty(!element || (element.innerText.trim() === "" && !element.querySelector("li,pre,blockquote")));
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: The others are functions of the latest render.
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const typeEarly = () => {
      updateEmpty();
      latest.current.onChange();
    };
    function move(): void {
      const { current } = editor;
      if (!current) return;
      const found = current.getFormats();
      setFormats((before) => (hasSame(before, found) ? before : found));
      setQuery(current.getMentionQuery());
    }
    const initial = latest.current.initial();
    let isMounted = true;
    if (isEditable) {
      element.addEventListener("input", typeEarly);
      void import("./rich-editor.ts").then(({ RichEditor }) => {
        if (!isMounted) return;
        element.removeEventListener("input", typeEarly);
        editor.current = new RichEditor(element, {
          move,
          change() {
            updateEmpty();
            move();
            latest.current.onChange();
          },
        });
        if (element.innerText.trim() === "") editor.current.setContent(initial);
        updateEmpty();
        move();
      });
    }
    return () => {
      isMounted = false;
      element.removeEventListener("input", typeEarly);
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [isEditable]);

  return {
    ...{ root, editor, isEmpty, formats, query },
    getContent: () => editor.current?.getContent() ?? textToRich(root.current?.innerText ?? ""),
    setContent(nodes) {
      editor.current?.setContent(nodes);
      if (!editor.current) root.current?.replaceChildren();
      updateEmpty();
      setQuery(undefined);
    },
    focus: () => (editor.current ? editor.current.focus() : root.current?.focus()),
  };
}

function hasSame(one: ReadonlySet<Format>, other: ReadonlySet<Format>): boolean {
  return one.size === other.size && [...one].every((format) => other.has(format));
}
