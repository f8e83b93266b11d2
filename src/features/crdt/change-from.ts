import * as Y from "yjs";
import { createDataError, DocumentError } from "./document-error.ts";

/** Maximum number of Yjs clients with which the service adds another one. Pages are limited to as many. */
const MAX_CLIENTS = 10_000;

/** A document that is not open for writing, and the client of the service in it. */
interface Existing {
  document: Y.Doc;
  clientId: number;
}

/**
 * Changes a document by what `change` does to an earlier state of it, concurrently with everything that was written
 * since. Throws DocumentError for a state that the document did not have.
 */
export function changeFrom(state: Uint8Array, existing: Existing, change: (base: Y.Doc) => void): void {
  const { document, clientId } = existing;
  const base = load(state);
  if (!contains(existing, base)) rejectState("is not a state of this collaborative document, or is newer than it");
  // The service may write under its own client only if the state has everything of that client.
  if (Y.getState(base.store, clientId) === Y.getState(document.store, clientId)) base.clientID = clientId;
  else if (document.store.clients.size >= MAX_CLIENTS) rejectState("is too old");
  const updates: Uint8Array[] = [];
  base.on("update", (update) => updates.push(update));
  rejectInvalid(() => base.transact(() => change(base)));
  for (const update of updates) Y.applyUpdate(document, update);
}

function load(state: Uint8Array): Y.Doc {
  const base = new Y.Doc();
  rejectInvalid(() => Y.applyUpdate(base, state));
  return base;
}

/** Works with a state that may be anything, such as no update of Yjs, or values too deep to be read. */
function rejectInvalid(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw createDataError("data.state", "must be the state that /v2/crdt/get returned with includeState");
  }
}

/** Returns whether a document has everything of an earlier state, which has the identity of the document. */
function contains({ document, clientId }: Existing, { store }: Y.Doc): boolean {
  const isWritten = (client: number) => Y.getState(document.store, client) >= Y.getState(store, client);
  const deletions = Y.createDeleteSetFromStructStore(document.store);
  const together = Y.mergeDeleteSets([deletions, Y.createDeleteSetFromStructStore(store)]);
  return (
    store.clients.has(clientId) && [...store.clients.keys()].every(isWritten) && Y.equalDeleteSets(deletions, together)
  );
}

function rejectState(problem: string): never {
  const message = `${problem}. Read it again by /v2/crdt/get with includeState`;
  throw new DocumentError({ reason: "state_mismatch", path: "data.state", message });
}
