import { setTimeout as delay } from "node:timers/promises";
import { type Connection, Hocuspocus } from "@hocuspocus/server";
import type { Logger } from "pino";
import type { EventReading } from "../../../contract/event-reading.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import type { ConnectedUsers } from "../../presence/connections/connected-users.ts";
import { AccessChecks } from "./access-checks.ts";
import { getToken } from "./first-message.ts";
import { syncConfiguration, TIMEOUT_MS } from "./hooks.ts";
import { mergeUpdates } from "./merged-updates.ts";
import { OpenDocuments } from "./open-documents.ts";
import {
  closeForRetry,
  getErrorReason,
  POLICY_VIOLATION,
  type SyncCaller,
  type SyncContext,
  type SyncSocket,
} from "./sync-caller.ts";

const GOING_AWAY = 1001;
/** Time that a stop waits for the updates in progress. */
const STOP_MS = 2_000;

/** Hocuspocus asks for a request, which nothing reads. */
const UNUSED_URL = "http://sync";

/** Receives the events of a connected socket. */
export interface ConnectedSocket {
  message(data: Uint8Array): void;
  closed(code: number, reason: string): void;
}

interface Dependencies {
  database: TransactionalQueryable;
  connectedUsers: ConnectedUsers;
  subscribe: EventReading["subscribe"];
  log: Logger;
}

/**
 * Synchronizes collaborative documents with clients by the protocol of Hocuspocus. Each workspace has its own instance,
 * because workspaces may use the same names.
 */
export class DocumentSync {
  readonly #database: TransactionalQueryable;
  readonly #connectedUsers: ConnectedUsers;
  readonly #log: Logger;
  readonly #documents: OpenDocuments;
  readonly #instances = new Map<string, Hocuspocus<SyncContext>>();
  /** Rejects clients whose token names no workspace. */
  readonly #rejectingInstance: Hocuspocus<SyncContext>;
  readonly #sockets = new Set<SyncSocket>();
  readonly #accessChecks: AccessChecks;
  #stopped: Promise<void> | undefined;

  constructor({ database, connectedUsers, subscribe, log }: Dependencies) {
    this.#database = database;
    this.#connectedUsers = connectedUsers;
    this.#log = log;
    this.#documents = new OpenDocuments(database, log);
    this.#rejectingInstance = this.#create(undefined);
    this.#accessChecks = new AccessChecks({
      ...{ database, log, subscribe, connections: () => this.#connections() },
      organizations: () => this.#documents.organizations(),
      accessChanged: (key) => this.#documents.unloadIdle(key),
      accessLost: ({ document }) => this.#documents.idle.discard(document),
    });
  }

  get counts(): { sockets: number; documents: number } {
    return { sockets: this.#sockets.size, documents: this.#documents.size };
  }

  /** Receives a payload of the channel on which processes notify each other of changes. */
  receive(payload: string): void {
    this.#documents.receive(payload);
  }

  connect(socket: SyncSocket, caller: SyncCaller): ConnectedSocket {
    if (this.#stopped) socket.close(GOING_AWAY, "stopping");
    this.#sockets.add(socket);
    let connection: ReturnType<Hocuspocus<SyncContext>["handleConnection"]> | undefined;
    let early: Uint8Array[] | undefined;
    /** Messages that have arrived together. */
    let arrived: Uint8Array[] = [];
    let isClosed = false;
    const deadline = setTimeout(() => socket.close(POLICY_VIOLATION, "token_required"), TIMEOUT_MS).unref();
    const begin = async (first: Uint8Array): Promise<void> => {
      early = [first];
      clearTimeout(deadline);
      const instance = await this.#instanceFor(getToken(first), socket, caller);
      // A socket must read the close frame of its client even while it is closing.
      socket.resume();
      if (isClosed || !instance) return;
      connection = instance.handleConnection(socket, new Request(UNUSED_URL), { socket, caller });
      for (const message of early) connection.handleMessage(message);
    };
    const handleArrived = (): void => {
      const messages = arrived.length > 1 ? mergeUpdates(arrived) : arrived;
      arrived = [];
      for (const message of messages) connection?.handleMessage(message);
    };
    return {
      message(data) {
        if (connection) {
          if (arrived.push(data) === 1) queueMicrotask(handleArrived);
          return;
        }
        if (early) return void early.push(data);
        socket.pause();
        void begin(data);
      },
      closed: (code, reason) => {
        isClosed = true;
        clearTimeout(deadline);
        this.#sockets.delete(socket);
        connection?.handleClose({ code, reason });
      },
    };
  }

  /** Closes all sockets, whose clients connect again, and waits for the updates in progress. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#accessChecks.stop();
    this.#documents.stop();
    const connections = this.#connections();
    for (const socket of this.#sockets) socket.close(GOING_AWAY, "stopping");
    for (const connection of connections) connection.close({ code: GOING_AWAY, reason: "stopping" });
    const saved = Promise.all(connections.map((connection) => connection.waitForPendingMessages()));
    await Promise.race([saved, delay(STOP_MS, undefined, { ref: false })]);
    for (const instance of this.#instances.values()) instance.flushPendingStores();
    await Promise.race([this.#documents.unloaded(), delay(STOP_MS, undefined, { ref: false })]);
  }

  async #instanceFor(
    token: string | undefined,
    socket: SyncSocket,
    caller: SyncCaller,
  ): Promise<Hocuspocus<SyncContext> | undefined> {
    if (token === undefined) {
      socket.close(POLICY_VIOLATION, "token_required");
      return undefined;
    }
    try {
      const { workspace } = await caller.authenticate(token);
      const instance = this.#instances.get(workspace.id) ?? this.#create(workspace.id);
      this.#instances.set(workspace.id, instance);
      return instance;
    } catch (error) {
      if (getErrorReason(error) !== undefined) return this.#rejectingInstance;
      closeForRetry(socket);
      return undefined;
    }
  }

  #create(workspaceId: string | undefined): Hocuspocus<SyncContext> {
    return new Hocuspocus<SyncContext>(
      syncConfiguration(workspaceId, {
        database: this.#database,
        connectedUsers: this.#connectedUsers,
        documents: this.#documents,
        log: this.#log,
      }),
    );
  }

  #connections(): Connection<SyncContext>[] {
    return this.#documents.documents().flatMap((document) => document.getConnections());
  }
}
