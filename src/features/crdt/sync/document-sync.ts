import { setTimeout as delay } from "node:timers/promises";
import { type Connection, Hocuspocus } from "@hocuspocus/server";
import type { Logger } from "pino";
import type { EventReading } from "../../../contract/event-reading.ts";
import type { Workspace } from "../../../contract/operation.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import type { ConnectedUsers } from "../../presence/connections/connected-users.ts";
import { AccessChecks } from "./access-checks.ts";
import { ClientSocket } from "./client-socket.ts";
import { syncConfiguration } from "./hooks.ts";
import { OpenDocuments } from "./open-documents.ts";
import type { SyncCaller, SyncContext, SyncSocket } from "./sync-caller.ts";

const GOING_AWAY = 1001;
/** Time that a stop waits for the updates in progress. */
const STOP_MS = 2_000;

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
  /** Numbers of connections that were closed because of their clients, by reason. */
  readonly closings: Record<string, number> = {};
  readonly #database: TransactionalQueryable;
  readonly #connectedUsers: ConnectedUsers;
  readonly #log: Logger;
  readonly #documents: OpenDocuments;
  readonly #instances = new Map<string, Hocuspocus<SyncContext>>();
  readonly #sockets = new Set<SyncSocket>();
  readonly #accessChecks: AccessChecks;
  #stopped: Promise<void> | undefined;

  constructor({ database, connectedUsers, subscribe, log }: Dependencies) {
    this.#database = database;
    this.#connectedUsers = connectedUsers;
    this.#log = log;
    this.#documents = new OpenDocuments(database, log);
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

  /** Counts a connection that is closed because of its client. */
  countClosing(reason: string): void {
    this.closings[reason] = (this.closings[reason] ?? 0) + 1;
    this.#log.debug({ reason }, "a connection of document sync is closed because of its client");
  }

  /** Receives a payload of the channel on which processes notify each other of changes. */
  receive(payload: string): void {
    this.#documents.receive(payload);
  }

  connect(socket: SyncSocket, caller: SyncCaller): Pick<ClientSocket, "message" | "closed"> {
    if (this.#stopped) socket.close(GOING_AWAY, "stopping");
    this.#sockets.add(socket);
    const client = new ClientSocket({
      ...{ socket, caller, log: this.#log },
      findInstance: async (token) => this.#instanceFor((await caller.authenticate(token)).workspace),
      count: (reason) => this.countClosing(reason),
    });
    return {
      message: (data) => client.message(data),
      closed: (code, reason) => {
        this.#sockets.delete(socket);
        client.closed(code, reason);
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

  #instanceFor({ id }: Pick<Workspace, "id">): Hocuspocus<SyncContext> {
    const known = this.#instances.get(id);
    if (known) return known;
    const instance = new Hocuspocus<SyncContext>(
      syncConfiguration(id, {
        database: this.#database,
        connectedUsers: this.#connectedUsers,
        documents: this.#documents,
        log: this.#log,
      }),
    );
    this.#instances.set(id, instance);
    return instance;
  }

  #connections(): Connection<SyncContext>[] {
    return this.#documents.documents().flatMap((document) => document.getConnections());
  }
}
