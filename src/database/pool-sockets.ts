import { Socket } from "node:net";
import { DatabaseUnresponsiveError } from "./database-errors.ts";

/**
 * Does not connect, and fails. A connection to a database that accepts none waits in its queue, also once it is closed,
 * and each of them delays the recovery.
 */
class UnconnectedSocket extends Socket {
  override connect(): this {
    process.nextTick(() => this.destroy(new DatabaseUnresponsiveError()));
    return this;
  }
}

/** The sockets of a connection pool. Closing them fails all statements at once, whatever they wait for. */
export class PoolSockets {
  readonly #open = new Set<Socket>();
  #closedBytes = 0;
  #isReachable = true;

  /** Returns a new socket, which `pg` connects. It fails at once while the database is unreachable. */
  create(): Socket {
    const socket = this.#isReachable ? new Socket() : new UnconnectedSocket();
    this.#open.add(socket);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#closedBytes += socket.bytesRead;
    });
    return socket;
  }

  /** Number of bytes received on all connections, which grows while the database sends anything. */
  get receivedBytes(): number {
    return [...this.#open].reduce((sum, socket) => sum + socket.bytesRead, this.#closedBytes);
  }

  /** Closes all connections and fails new ones at once until the database is reachable again. */
  setReachable(isReachable: boolean): void {
    this.#isReachable = isReachable;
    if (!isReachable) this.closeAll(new DatabaseUnresponsiveError());
  }

  closeAll(error: Error): void {
    for (const socket of this.#open) socket.destroy(error);
  }
}
