import { expect, test, vi } from "vitest";
import type { CommentAnnotation } from "../../packages/client/src/index.ts";
import type { EditorAdapter, Highlight } from "../../packages/editor/src/model/adapter.ts";
import type { Anchor, TextAnchor } from "../../packages/editor/src/model/anchor.ts";
import { AnchoredThreads } from "../../packages/editor/src/model/anchored-threads.ts";

const EDITOR = "body";

/** Returns the anchor of a word, whose place the editors of these tests find by its text. */
function anchorOf(exact: string, editorId = EDITOR): TextAnchor {
  return { editorId, start: "", end: "", quote: { exact, prefix: "", suffix: "" } };
}

function threadOf(word: string, changes: object = {}): CommentAnnotation {
  const thread = { annotationId: word, anchor: anchorOf(word), status: { id: "OPEN", name: "Open", type: "default" } };
  return castThread({ ...thread, ...changes });
}

/** Casts a thread: the model reads no other fields. */
function castThread(thread: object): CommentAnnotation {
  return thread as CommentAnnotation;
}

/** The threads of a document, which a test replaces. */
function createThreads(data: CommentAnnotation[]) {
  const listeners = new Set<() => void>();
  return {
    listeners,
    getState: () => ({ data }),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async add(_text: string, { anchor }: { anchor?: Anchor | null }) {
      return anchor && "quote" in anchor ? anchor.quote.exact : "";
    },
    set(next: CommentAnnotation[]) {
      data = next;
      for (const listener of listeners) listener();
    },
  };
}

/** An editor with a text, in which ranges are pairs of offsets. */
function createEditor(initialText: string) {
  let text = initialText;
  let onChange = () => {};
  const editor = {
    selected: undefined as string | undefined,
    isLoading: false,
    highlights: [] as readonly Highlight<[number, number]>[],
    reveal: vi.fn(),
    get highlighted() {
      return editor.highlights.map(({ range, isActive }) => `${text.slice(...range)}${isActive ? "!" : ""}`);
    },
    type(next: string) {
      text = next;
      onChange();
    },
  };
  const adapter: EditorAdapter<[number, number]> = {
    resolve(anchor) {
      const { exact } = "quote" in anchor ? anchor.quote : { exact: "" };
      const start = text.indexOf(exact);
      return start === -1 ? undefined : { range: [start, start + exact.length], state: "attached" };
    },
    isPending: () => editor.isLoading,
    createAnchor: () => (editor.selected === undefined ? undefined : anchorOf(editor.selected)),
    compare: (a, b) => a[0] - b[0],
    highlight(highlights) {
      editor.highlights = highlights;
    },
    getRect: ([start]) => ({ top: start, bottom: start, left: 0, right: 0 }),
    reveal: editor.reveal,
    subscribe(listener) {
      onChange = listener;
      return () => {
        onChange = () => {};
      };
    },
  };
  return { editor, adapter };
}

/** Returns the model of threads on words in an editor. */
function createModel(text: string, data: CommentAnnotation[]) {
  const threads = createThreads(data);
  const { editor, adapter } = createEditor(text);
  const model = new AnchoredThreads({ threads, editorId: EDITOR });
  const detach = model.attach(adapter);
  const shown = () => model.getState().threads.map(({ thread, state }) => `${thread.annotationId} ${state}`);
  return { threads, editor, model, detach, shown };
}

test("threads are in reading order, those without text last, and follow the text and the threads", async () => {
  const { threads, editor, shown } = createModel("one two three", [
    threadOf("three"),
    threadOf("four"),
    threadOf("one"),
  ]);
  await expect.poll(shown).toEqual(["one attached", "three attached", "four detached"]);
  expect(editor.highlighted).toEqual(["three", "one"]);
  editor.type("four three");
  await expect.poll(shown).toEqual(["four attached", "three attached", "one detached"]);
  threads.set([threadOf("three")]);
  await expect.poll(shown).toEqual(["three attached"]);
});

test("threads are pending until the editor has loaded their text, unless the service misses it", async () => {
  const lost = threadOf("four", { anchorState: "detached" });
  const { editor, model, shown } = createModel("", [threadOf("one"), lost, threadOf("two")]);
  editor.isLoading = true;
  await expect.poll(shown).toEqual(["one pending", "four detached", "two pending"]);
  expect(model.openNext()).toBe(false);
  editor.isLoading = false;
  editor.type("one");
  await expect.poll(shown).toEqual(["one attached", "four detached", "two detached"]);
});

test("highlights name the elements that show their threads", async () => {
  const { editor, model, shown } = createModel("one two", [threadOf("one"), threadOf("two")]);
  await expect.poll(shown).toHaveLength(2);
  model.setCards(new Map([["two", "card-2"]]));
  const cards = () => editor.highlights.map(({ cardId }) => cardId);
  expect(cards()).toEqual([undefined, "card-2"]);
  model.setCards(new Map());
  expect(cards()).toEqual([undefined, undefined]);
});

test("threads of other editors, without an anchor, or resolved are not shown", async () => {
  const resolved = { status: { id: "RESOLVED", name: "Resolved", type: "terminal" } };
  const others = [
    { anchor: anchorOf("two", "other") },
    { anchor: undefined },
    { anchor: { selector: "p", x: 0, y: 0 } },
  ];
  const hidden = [resolved, ...others].map((changes) => threadOf("two", changes));
  const { shown } = createModel("one two", [threadOf("one"), ...hidden]);
  await expect.poll(shown).toEqual(["one attached"]);
});

test("the next and previous threads are those whose text is shown, around the ends", async () => {
  const { editor, model, shown } = createModel(
    "one two three",
    ["three", "four", "two"].map((word) => threadOf(word)),
  );
  await expect.poll(shown).toHaveLength(3);
  const steps = [model.openNext, model.openNext, model.openNext, model.openPrevious];
  const opened = steps.map((step) => step.call(model) && model.getState().activeId);
  expect(opened).toEqual(["two", "three", "two", "three"]);
  expect(editor.highlighted).toEqual(["three!", "two"]);
  expect(editor.reveal).toHaveBeenLastCalledWith([8, 13]);
  model.open(undefined);
  model.openPrevious();
  expect(model.getState().activeId).toBe("three");
});

test("no thread is opened where none has a text", async () => {
  const { model, shown } = createModel("one", [threadOf("four")]);
  await expect.poll(shown).toEqual(["four detached"]);
  expect([model.openNext(), model.openPrevious(), model.getState().activeId]).toEqual([false, false, undefined]);
});

test("an open thread is closed when it is deleted or resolved, but not before a new one is in the list", async () => {
  const { threads, editor, model, shown } = createModel("one two", [threadOf("one")]);
  await expect.poll(shown).toHaveLength(1);
  editor.selected = "two";
  expect(await model.add("Why two?")).toBe("two");
  editor.type("one two");
  await Promise.resolve();
  expect(model.getState().activeId).toBe("two");
  threads.set([threadOf("one"), threadOf("two")]);
  await expect.poll(() => editor.highlighted).toEqual(["one", "two!"]);
  threads.set([threadOf("one")]);
  await expect.poll(() => model.getState().activeId).toBeUndefined();
});

test("a comment that was begun keeps its text without the selection, until it is added or canceled", async () => {
  const { editor, model } = createModel("one two", []);
  expect(model.startComment()).toBe(false);
  await expect(model.add("Why?")).rejects.toThrow("Select text");
  editor.selected = "two";
  expect(model.startComment()).toBe(true);
  expect([editor.highlighted, model.getRect()?.top]).toEqual([["two!"], 4]);
  model.cancelComment();
  expect([editor.highlighted, model.getRect()]).toEqual([[], undefined]);
  model.startComment();
  editor.selected = "one";
  expect(await model.add("Why two?")).toBe("two");
  expect(model.getState()).toMatchObject({ draft: undefined, activeId: "two" });
});

test("listeners are called at once and for changes, and threads are followed while something shows them", async () => {
  const { threads, editor, model, detach, shown } = createModel("one", [threadOf("one")]);
  await expect.poll(shown).toHaveLength(1);
  const listener = vi.fn();
  const leave = model.subscribe(listener);
  const before = model.getState();
  editor.type("one two");
  await Promise.resolve();
  expect([listener.mock.calls.length, model.getState()]).toEqual([1, before]);
  model.open("one");
  expect(listener.mock.calls).toEqual([[before], [model.getState()]]);
  detach();
  await expect.poll(shown).toEqual(["one pending"]);
  leave();
  expect(threads.listeners.size).toBe(0);
});
