import { uuidv4 } from "lib0/random";
import { afterAll, vi } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
import { threadsStore } from "../../packages/client/src/stores/index.ts";
import { ColloquyThreadStore } from "../../packages/editor/src/blocknote/thread-store.ts";

const { COLLOQUY_URL: url = "", USER_TOKEN: token } = process.env;
const client = createClient({ url, getUserToken: () => token });
const leaving: (() => void)[] = [];
let documentCount = 0;

afterAll(() => {
  for (const leave of leaving) leave();
});

type Options<Name extends "createThread" | "addComment" | "updateComment" | "deleteComment"> = Parameters<
  ColloquyThreadStore[Name]
>[0];
interface CommentRef {
  threadId: string;
  commentId: string;
}

/**
 * Our thread store instead of BlockNote's own one in its tests. Each test has a new document, and sees the IDs that it
 * has mocked instead of those of the service.
 */
export class YjsThreadStore extends ColloquyThreadStore {
  readonly #isReady: Promise<unknown>;
  /** Mocked IDs by those of the service. */
  readonly #mocked = new Map<string, string>();

  constructor(userId: string) {
    documentCount += 1;
    const threads = threadsStore({ client, organizationId: "acme", userId }, { documentId: `own-${documentCount}` });
    super({ threads, userId });
    leaving.push(threads.subscribe(() => {}));
    this.#isReady = vi.waitUntil(() => threads.getState().isLive, { timeout: 20_000 });
  }

  #mock(id: string): string {
    const mocked = this.#mocked.get(id) ?? uuidv4();
    this.#mocked.set(id, mocked);
    return mocked;
  }

  #find(id: string): string {
    return [...this.#mocked].find(([, mocked]) => mocked === id)?.[0] ?? id;
  }

  #toService<Ref extends CommentRef>(options: Ref): Ref {
    const { threadId, commentId } = options;
    return { ...options, threadId: this.#find(threadId), commentId: this.#find(commentId).split("/").at(-1) };
  }

  override getThread(threadId: string) {
    const thread = super.getThread(this.#find(threadId));
    const comments = thread.comments.map((comment) => ({ ...comment, id: this.#mock(`${thread.id}/${comment.id}`) }));
    return { ...thread, comments, id: this.#mock(thread.id) };
  }

  override async createThread(options: Options<"createThread">) {
    await this.#isReady;
    return super.createThread(options);
  }

  override addComment(options: Options<"addComment">) {
    return super.addComment({ ...options, threadId: this.#find(options.threadId) });
  }

  override updateComment(options: Options<"updateComment">) {
    return super.updateComment(this.#toService(options));
  }

  override deleteComment(options: Options<"deleteComment">) {
    return super.deleteComment(this.#toService(options));
  }

  override deleteThread({ threadId }: { threadId: string }) {
    return super.deleteThread({ threadId: this.#find(threadId) });
  }

  override resolveThread({ threadId }: { threadId: string }) {
    return super.resolveThread({ threadId: this.#find(threadId) });
  }

  override unresolveThread({ threadId }: { threadId: string }) {
    return super.unresolveThread({ threadId: this.#find(threadId) });
  }

  override addReaction(options: Parameters<ColloquyThreadStore["addReaction"]>[0]) {
    return super.addReaction(this.#toService(options));
  }

  override deleteReaction(options: Parameters<ColloquyThreadStore["addReaction"]>[0]) {
    return super.deleteReaction(this.#toService(options));
  }
}
