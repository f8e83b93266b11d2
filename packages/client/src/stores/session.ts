import type { AccessRole } from "../api.generated.ts";
import type { Client } from "../client.ts";
import { type InspectedStream, SharedStreams } from "./shared-stream.ts";
import type { UserDirectory } from "./user-directory.ts";

/** The user of a page and where their data is. */
export interface Session extends UserDirectory {
  client: Client<"page">;
  organizationId: string;
  /** User whose token the client sends. */
  userId: string;
}

/** What reads from a stream and fails with it. */
interface LiveResource {
  hasFailed: boolean;
  follow(): void;
  /** Forgets everything, and follows again as the next user. */
  reset(): void;
}

/** Records that were read at once, with the token of the next page if there is one. */
export interface ListPage<Record> {
  data: Record[];
  pageToken?: string | undefined;
  accessRole?: AccessRole | undefined;
}

/** Records that were read before the page is shown, by the names of their stores. A server sends them as JSON. */
export type InitialData = { [name: string]: ListPage<unknown> };

/** A list whose records a server reads for a page. */
interface ReadableList {
  readPage(): Promise<ListPage<unknown>>;
}

/** What the stores of a client share. */
export interface StoreContext {
  client: Client<"page">;
  streams: SharedStreams;
  /** The lists that have listeners. */
  active: Set<LiveResource>;
}

/** What a list shares, and the place of its first records. */
export interface ListContext extends StoreContext {
  /** Records that were read before. */
  initialPage: ListPage<unknown> | undefined;
  /** Makes a list known to the server that reads its records. */
  register(list: ReadableList): void;
}

interface ClientStores extends StoreContext {
  stores: Map<string, unknown>;
  lists: Map<string, ReadableList>;
  initialData: InitialData;
}

const storesByClient = new WeakMap<Client<"page">, ClientStores>();

function createContext(client: Client<"page">): ClientStores {
  const context: ClientStores = {
    ...{ client, streams: new SharedStreams(client), active: new Set<LiveResource>() },
    ...{ stores: new Map(), lists: new Map(), initialData: {} },
  };
  client.onReset(() => {
    context.stores.clear();
    context.lists.clear();
    context.initialData = {};
    for (const each of [...context.active]) each.reset();
  });
  storesByClient.set(client, context);
  return context;
}

/** Returns the store of a session with a key, which stands for what it contains. The same key has the same store. */
export function getStore<Shared>(
  { client, organizationId, userId }: Session,
  key: readonly unknown[],
  create: (context: ListContext) => Shared,
): Shared {
  const context = getContext(client);
  const name = JSON.stringify([organizationId, userId, ...key]);
  if (context.stores.has(name)) return castStore<Shared>(context.stores.get(name));
  const register = (list: ReadableList) => void context.lists.set(name, list);
  const store = create({ ...context, initialPage: context.initialData[name], register });
  context.stores.set(name, store);
  return store;
}

function getContext(client: Client<"page">): ClientStores {
  return storesByClient.get(client) ?? createContext(client);
}

/**
 * Reads the records of stores on a server, for pages that it renders. Give it a client of the user of the request, and
 * a function that gets the stores.
 */
export async function readInitialData(
  session: Session,
  getStores: (session: Session) => unknown,
): Promise<InitialData> {
  const { lists } = getContext(session.client);
  getStores(session);
  return Object.fromEntries(
    await Promise.all(Array.from(lists, async ([name, list]) => [name, await list.readPage()] as const)),
  );
}

/** Makes records that a server has read the first ones of the stores of a client that are not in use yet. */
export function setInitialData({ client }: Session, initialData: InitialData): void {
  Object.assign(getContext(client).initialData, initialData);
}

/** Reads everything of a client again that is not kept up to date because of an error. */
export function retryFailed({ client }: Session): void {
  for (const each of getContext(client).active) if (each.hasFailed) each.follow();
}

/** Casts a store: a key is used with one type only. */
function castStore<Shared>(store: unknown): Shared {
  return store as Shared;
}

/** Returns the streams of a client, and the states of its stores by name, for developers. */
export function inspectStores({ client }: Session): { streams: InspectedStream[]; stores: [string, unknown][] } {
  const { streams, stores } = getContext(client);
  const states = [...stores].flatMap(([name, store]): [string, unknown][] => {
    const getState: unknown = Object(store).getState;
    return typeof getState === "function" ? [[name, getState()]] : [];
  });
  return { streams: streams.inspect(), stores: states };
}
