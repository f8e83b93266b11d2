import type { Client } from "../client.ts";
import { SharedStreams } from "./shared-stream.ts";
import type { UserDirectory } from "./users.ts";

/** The user of a page and where their data is. */
export interface Session extends UserDirectory {
  client: Client<"page">;
  organizationId: string;
  /** User whose token the client sends. */
  userId: string;
}

/** What follows a stream, and ends with it. */
interface Followed {
  hasFailed: boolean;
  follow(): void;
}

/** What the stores of a client share. */
export interface StoreContext {
  client: Client<"page">;
  streams: SharedStreams;
  /** The lists that have listeners. */
  followed: Set<Followed>;
}

interface ClientStores extends StoreContext {
  stores: Map<string, unknown>;
}

const storesByClient = new WeakMap<Client<"page">, ClientStores>();

/** Returns the store of a session with a key, which stands for what it contains. The same key has the same store. */
export function getStore<Shared>(
  { client, organizationId, userId }: Session,
  key: readonly unknown[],
  create: (context: StoreContext) => Shared,
): Shared {
  const context = storesByClient.get(client) ?? {
    client,
    streams: new SharedStreams(client),
    followed: new Set(),
    stores: new Map(),
  };
  storesByClient.set(client, context);
  const name = JSON.stringify([organizationId, userId, ...key]);
  const store = context.stores.has(name) ? castStore<Shared>(context.stores.get(name)) : create(context);
  context.stores.set(name, store);
  return store;
}

/** Casts a store: a key is used with one type only. */
function castStore<Shared>(store: unknown): Shared {
  return store as Shared;
}
