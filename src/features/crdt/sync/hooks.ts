import {
  type beforeSyncPayload,
  type Configuration,
  type Connection,
  type connectedPayload,
  OutgoingMessage,
  type onAuthenticatePayload,
  type onLoadDocumentPayload,
} from "@hocuspocus/server";
import type { Logger } from "pino";
import { messageYjsSyncStep1, messageYjsSyncStep2, messageYjsUpdate } from "y-protocols/sync";
import { includesRole } from "../../../contract/end-user.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import type { ConnectedUsers } from "../../presence/connections/connected-users.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization, transactionalOrganization } from "../../tenancy/organization-scope.ts";
import { compactUpdates } from "../stored/compact.ts";
import { type StoredDocument, selectDocument } from "../stored/crdt-update-queries.ts";
import { readDocumentName } from "./document-name.ts";
import { countMerged } from "./merged-updates.ts";
import { FROM_LOG, isLogLong, type OpenDocument } from "./open-document.ts";
import type { OpenDocuments } from "./open-documents.ts";
import { rememberOwners } from "./own-awareness.ts";
import { PageIdentity } from "./page-identity.ts";
import {
  authorize,
  closeForRetry,
  closeRejected,
  getErrorReason,
  getSender,
  type SyncContext,
  SyncError,
} from "./sync-caller.ts";
import {
  isEmptyUpdate,
  isKnown,
  type MeasuredUpdate,
  measureWithoutBlocking,
  splitWithoutBlocking,
} from "./update-check.ts";

/** Intervals at which a document that changes is checked for a long log. */
const CHECK_LOG_MS = { debounce: 1_000, maxDebounce: 2_000 };
/**
 * Time after which Hocuspocus closes a socket from which it gets no messages. It does not get all messages, and pings
 * close dead sockets much earlier.
 */
const TIMEOUT_MS = 24 * 60 * 60 * 1_000;

interface Dependencies {
  database: TransactionalQueryable;
  connectedUsers: ConnectedUsers;
  documents: OpenDocuments;
  log: Logger;
}

/** Returns the configuration of the documents of one workspace. */
export function syncConfiguration(
  workspaceId: string,
  { database, connectedUsers, documents, log }: Dependencies,
): Partial<Configuration<SyncContext>> {
  /** Runs the work of a hook. Closes the socket for a retry if the service is unavailable. */
  async function orRetry<Result>(context: SyncContext, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const reason = getErrorReason(error);
      if (reason === undefined) {
        log.warn({ err: error }, "a document could not be synchronized; its client connects again");
        closeForRetry(context.socket);
      }
      throw new SyncError(reason ?? "unavailable");
    }
  }

  async function authenticate(payload: onAuthenticatePayload<SyncContext>): Promise<Partial<SyncContext>> {
    const { token, documentName, connectionConfig, context } = payload;
    return orRetry(context, async () => {
      const ref = readDocumentName(documentName);
      if (!ref) throw new SyncError("document_name_invalid");
      const { workspace, user, role } = await authorize(context, token, ref);
      // A socket serves one workspace, that of its first token.
      if (workspace.id !== workspaceId) throw new SyncError("access_denied");
      connectionConfig.readOnly = !includesRole(role, "editor");
      const scope = openOrganization(database, workspace, ref.organizationId);
      return { token, ref, user, showsEmails: workspace.showUserEmails, organizationKey: scope.key };
    });
  }

  async function load({ document, context }: onLoadDocumentPayload<SyncContext>): Promise<void> {
    const loaded = orRetry(context, async () => {
      if (!context.ref) throw new SyncError("access_denied");
      const { organizationId } = context.ref;
      const scope = openOrganization(database, { id: workspaceId }, organizationId);
      const ref = { ...context.ref, organizationKey: scope.key };
      const find = async (): Promise<StoredDocument> => {
        const { block, stored } = await selectDocument(scope, ref);
        assertAccessible(block, organizationId);
        if (!stored) throw new SyncError("not_found");
        return stored;
      };
      let stored = await find();
      if (isLogLong(stored)) {
        await compactUpdates(transactionalOrganization(database, scope.key), ref);
        stored = await find();
      }
      await documents.add(document, ref, stored);
    });
    await loaded.catch((error: unknown) => {
      // Hocuspocus does not know the document yet. Its awareness has a timer that would keep it in memory.
      document.destroy();
      throw error;
    });
  }

  /** Keeps the user online in the document until the connection closes, which it may have already. */
  async function connected({ connection, context }: connectedPayload<SyncContext>): Promise<void> {
    const { ref, user } = context;
    context.identity = new PageIdentity(documents.get(connection.document).clientId);
    context.opened(connection);
    if (!ref || !user || !connection.document.hasConnection(connection)) return;
    connection.onClose(connectedUsers.connect({ workspaceId, ...ref }, user));
  }

  /** Saves an update before Hocuspocus applies and acknowledges it, as one even if it consists of several. */
  async function save(sync: beforeSyncPayload<SyncContext>): Promise<void> {
    const { type, payload, connection, context } = sync;
    if (type === messageYjsSyncStep1) context.identity?.synchronize(payload);
    if (type !== messageYjsSyncStep2 && type !== messageYjsUpdate) return;
    // Hocuspocus applies nothing of a viewer, but reads what a viewer synchronizes to tell whether it is known.
    if (connection.readOnly && type === messageYjsUpdate) return;
    await append(sync);
    // The connection of a rejected update is read-only, too.
    if (connection.readOnly) return;
    for (let count = countMerged(payload); count > 1; count--) acknowledge(connection);
  }

  /** Appends an update to the log, unless it is a viewer's or the document has it. Rejects the update if that fails. */
  async function append(sync: beforeSyncPayload<SyncContext>): Promise<void> {
    const { payload, connection, context } = sync;
    if (isEmptyUpdate(payload)) return;
    // A client that writes faster than the database commits is slowed down.
    context.socket.pause();
    try {
      await appendWithinLimits(sync);
    } catch (err) {
      const reason = getErrorReason(err);
      rejectUpdate({ payload, connection, reason });
      if (reason !== undefined) return;
      log.warn({ err }, "an update could not be saved; its client sends it again");
      closeForRetry(context.socket);
    } finally {
      context.socket.resume();
    }
  }

  /** Appends an update as it is or, if a page writes more at once than an update may have, in parts. */
  async function appendWithinLimits(sync: beforeSyncPayload<SyncContext>): Promise<void> {
    const { payload, context } = sync;
    const sender = getSender(context);
    try {
      await appendParts(sync, [{ update: payload, measure: await measureWithoutBlocking(payload, sender) }]);
    } catch (error) {
      if (getErrorReason(error) !== "update_too_large") throw error;
      await appendParts(sync, await splitWithoutBlocking(payload, sender));
      leaveNothing(payload);
    }
  }

  async function appendParts(sync: beforeSyncPayload<SyncContext>, parts: readonly MeasuredUpdate[]): Promise<void> {
    const { connection, document, context } = sync;
    if (parts.some(({ measure }) => context.identity?.isOther(measure))) throw new SyncError("document_replaced");
    for (const part of parts) {
      if (connection.readOnly || isKnown(document, part.measure)) continue;
      const open = documents.get(document);
      const authorId = await findAuthor(open, context);
      await open.append(part, { authorId, origin: { source: "connection", connection } });
      documents.sendChange(document);
    }
  }

  /** Returns the author of a connection's updates. A user who was deleted and comes back has another connection. */
  async function findAuthor(open: OpenDocument, context: SyncContext): Promise<string | null> {
    if (!context.user) return null;
    context.authorId ??= open.ensureAuthor(context.user);
    return context.authorId.catch((error: unknown) => {
      delete context.authorId;
      throw error;
    });
  }

  return {
    quiet: true,
    timeout: TIMEOUT_MS,
    ...CHECK_LOG_MS,
    onAuthenticate: authenticate,
    onLoadDocument: load,
    connected,
    beforeSync: save,
    async onStoreDocument({ document }) {
      await documents
        .compactIfLong(document)
        .catch((err: unknown) => log.warn({ err }, "the log of a document could not be compacted; it will be later"));
    },
    async beforeUnloadDocument(payload) {
      documents.idle.beforeUnload(payload);
    },
    async onAwarenessUpdate({ document, added, updated, removed, transactionOrigin }) {
      rememberOwners({ document, clientIds: [...added, ...updated] });
      const isFromOthers = transactionOrigin === FROM_LOG || transactionOrigin === "timeout";
      if (!isFromOthers) documents.sendAwareness(document, [...added, ...updated, ...removed]);
    },
  };
}

/** Acknowledges one update of the client. */
function acknowledge(connection: Connection): void {
  connection.send(new OutgoingMessage(connection.messageAddress).writeSyncStatus(true).toUint8Array());
}

/** Makes the bytes of an update those of an empty one, because Hocuspocus goes on to read it. */
function leaveNothing(update: Uint8Array): void {
  update.fill(0);
}

/**
 * Rejects an update: closes the connection with the reason, and applies nothing that the client sends later. Hocuspocus
 * would go on to acknowledge a state of a closed connection as saved.
 */
function rejectUpdate(
  rejected: Pick<beforeSyncPayload<SyncContext>, "payload" | "connection"> & { reason: string | undefined },
): void {
  const { payload, connection, reason } = rejected;
  leaveNothing(payload);
  connection.readOnly = true;
  if (reason !== undefined) closeRejected(connection, reason);
  else connection.close({ code: 1000, reason: "unavailable" });
  connection.send = () => {};
}
