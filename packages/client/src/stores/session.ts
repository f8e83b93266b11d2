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
  /** Forgets everything, and follows again as the next user. */
  reset(): void;
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

function createContext(client: Client<"page">): ClientStores {
  const context = { client, streams: new SharedStreams(client), followed: new Set<Followed>(), stores: new Map() };
  client.onReset(() => {
    context.stores.clear();
    for (const each of [...context.followed]) each.reset();
  });
  storesByClient.set(client, context);
  return context;
}

/** Returns the store of a session with a key, which stands for what it contains. The same key has the same store. */
export function getStore<Shared>(
  { client, organizationId, userId }: Session,
  key: readonly unknown[],
  create: (context: StoreContext) => Shared,
): Shared {
  const context = storesByClient.get(client) ?? createContext(client);
  const name = JSON.stringify([organizationId, userId, ...key]);
  const store = context.stores.has(name) ? castStore<Shared>(context.stores.get(name)) : create(context);
  context.stores.set(name, store);
  return store;
}

/** Casts a store: a key is used with one type only. */
function castStore<Shared>(store: unknown): Shared {
  return store as Shared;
}
