import { createExtension, type ExtensionFactoryInstance, type ExtensionOptions } from "@blocknote/core";
import { CommentsExtension, type User } from "@blocknote/core/comments";
import type { ThreadOptions, ThreadsStore } from "@colloquy/client/stores";
import { type EditorState, Plugin } from "prosemirror-state";
import { AnchoredThreads } from "../model/anchored-threads.ts";
import { commentsPlugin, getHighlights } from "../prosemirror/plugin.ts";
import { DEFAULT_SCHEMA } from "./body-schema.ts";
import { ColloquyThreadStore } from "./thread-store.ts";

/** Options of `blockNoteComments`. */
export interface BlockNoteCommentsOptions {
  /** The threads of the document, of `@colloquy/client/stores`. */
  threads: ThreadsStore;
  /** The collaborative document that the editor shows. */
  editorId: string;
  /** The user of the page. */
  userId: string;
  /** Returns the users with these IDs. By default, those who have written comments, with the names in their records. */
  resolveUsers?: (userIds: string[]) => Promise<User[]>;
  /** Schema of the editors of comments, as of BlockNote's `CommentsExtension`. */
  schema?: Parameters<typeof CommentsExtension>[0]["schema"];
}

/**
 * Returns extensions for comments in BlockNote: its own one, whose components show the threads, and one that highlights
 * their text beside the document, where BlockNote would write marks into it.
 */
export function blockNoteComments(options: BlockNoteCommentsOptions): ExtensionFactoryInstance[] {
  const { threads, editorId, userId, resolveUsers = (ids) => findUsers(threads, ids), schema } = options;
  const model = new AnchoredThreads<ThreadOptions>({ threads, editorId });
  const known = new Set<string>();
  const threadStore = new ColloquyThreadStore({
    ...{ threads, userId },
    getAnchor: () => model.getAnchor(),
    isKnown: (id) => known.has(id),
    schema: schema ?? DEFAULT_SCHEMA,
  });
  async function resolveKnown(ids: string[]): Promise<User[]> {
    const users = await resolveUsers(ids);
    for (const { id } of users) known.add(id);
    return users;
  }
  const own = CommentsExtension({ threadStore, resolveUsers: resolveKnown, ...(schema && { schema }) });
  return [own, connectComments({ model, threads })];
}

type Positions = Map<string, { from: number; to: number }>;

/** Highlights the text of threads, and tells BlockNote's extension where it is and which thread is open. */
const connectComments = createExtension(({ editor, options }: ExtensionOptions<ConnectOptions>) => {
  const { model, threads } = options;
  const getComments = () => editor.getExtension(CommentsExtension);

  /** BlockNote's extension looks for marks after each change, and finds none. */
  function showPositions(state: EditorState): void {
    const store = getComments()?.store;
    const positions: Positions = new Map();
    for (const { annotationId, range } of getHighlights(state)) {
      if (annotationId !== undefined) positions.set(annotationId, range);
    }
    if (!store || areEqual(positions, store.state.threadPositions)) return;
    store.setState((before) => ({ ...before, threadPositions: positions }));
  }

  return {
    key: "colloquyComments",
    prosemirrorPlugins: [
      commentsPlugin(model),
      new Plugin({ view: () => ({ update: (view) => showPositions(view.state) }) }),
    ],
    mount({ signal }: { signal: AbortSignal }) {
      const comments = getComments();
      if (!comments) return;
      const { store } = comments;
      const leaving = [
        model.subscribe(({ activeId, draft }) => {
          if (activeId !== store.state.selectedThreadId) comments.selectThread(activeId, false);
          if (draft && !store.state.pendingComment) comments.startPendingComment();
        }),
        store.subscribe(() => {
          const { selectedThreadId, pendingComment } = store.state;
          if (selectedThreadId !== model.getState().activeId) model.open(selectedThreadId, { scroll: false });
          if (!pendingComment && model.getState().draft) model.cancelComment();
        }),
        // BlockNote shows who has resolved a thread only if it has loaded the user before.
        threads.subscribe(({ data }) => {
          const resolvers = data.flatMap(({ resolvedByUserId }) => resolvedByUserId ?? []);
          void comments.userStore.loadUsers([...new Set(resolvers)]);
        }),
      ];
      signal.addEventListener("abort", () => {
        for (const leave of leaving) leave();
      });
    },
  } as const;
});

interface ConnectOptions {
  model: AnchoredThreads<ThreadOptions>;
  threads: ThreadsStore;
}

function areEqual(a: Positions, b: Positions): boolean {
  const isSame = ([id, { from, to }]: [string, { from: number; to: number }]) =>
    b.get(id)?.from === from && b.get(id)?.to === to;
  return a.size === b.size && [...a].every(isSame);
}

/** Returns the users in the records of threads. */
async function findUsers(threads: ThreadsStore, ids: string[]): Promise<User[]> {
  const authors = threads.getState().data.flatMap(({ comments }) => comments.map(({ from }) => from));
  return ids.map((id) => {
    const author = authors.find(({ userId }) => userId === id);
    return { id, username: author?.name ?? id, avatarUrl: typeof author?.photoUrl === "string" ? author.photoUrl : "" };
  });
}
