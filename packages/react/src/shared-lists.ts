import type { Client } from "@colloquy/client";
import { type ListState, LiveList, type LiveSource } from "./live-list.ts";
import { SharedPresence } from "./shared-presence.ts";
import { type Scope, SharedStreams } from "./shared-stream.ts";

/** The lists of a client that are shown, by their keys. Hooks with the same key share one. */
class SharedLists {
  readonly #session: { client: Client<"page">; streams: SharedStreams };
  readonly #lists = new Map<string, LiveList<unknown>>();
  readonly #presence = new Map<string, SharedPresence>();

  constructor(client: Client<"page">) {
    this.#session = { client, streams: new SharedStreams(client) };
  }

  /** Shows the list with a key, which stands for its source, until `hide` is called. */
  show<Record>(
    key: string,
    source: LiveSource<Record>,
    viewer: (state: ListState<Record>) => void,
  ): { list: LiveList<Record>; hide: () => void } {
    const list = castList<Record>(this.#lists.get(key)) ?? new LiveList(this.#session, source);
    this.#lists.set(key, castList<unknown>(list));
    list.show(viewer);
    const hide = () => {
      if (list.hide(viewer)) this.#lists.delete(key);
    };
    return { list, hide };
  }

  /** Returns what pages share about their users in a document. */
  getPresence(scope: Scope & { documentId: string }): SharedPresence {
    const key = JSON.stringify(scope);
    const presence = this.#presence.get(key) ?? new SharedPresence(this.#session, scope);
    this.#presence.set(key, presence);
    return presence;
  }

  /** Restarts the list with a key, and all that have failed: lists fail together if their stream does. */
  retry(key: string): void {
    for (const [each, list] of this.#lists) if (each === key || list.hasFailed) list.follow();
    for (const presence of this.#presence.values()) presence.retry();
  }
}

/** Casts a list: lists with the same key have the same source, and so the same records. */
function castList<Record>(list: unknown): LiveList<Record> {
  return list as LiveList<Record>;
}

const listsByClient = new WeakMap<Client<"page">, SharedLists>();

/** Returns the lists that all providers with this client share. */
export function getSharedLists(client: Client<"page">): SharedLists {
  const lists = listsByClient.get(client) ?? new SharedLists(client);
  listsByClient.set(client, lists);
  return lists;
}
