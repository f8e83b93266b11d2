import { Socket } from "node:net";
import { DatabaseUnresponsiveError } from "./failures.ts";

/** The sockets of a connection pool. Closing them fails all statements at once, whatever they wait for. */
export class PoolSockets {
  readonly #open = new Set<Socket>();
  #closedBytes = 0;
  #isReachable = true;

  /** Returns a new socket, which `pg` connects. It fails at once while the database is unreachable. */
  create(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#closedBytes += socket.bytesRead;
    });
    // Connecting a socket that is already destroyed would revive it.
    if (!this.#isReachable) process.nextTick(() => socket.destroy(new DatabaseUnresponsiveError()));
    return socket;
  }

  /** Number of bytes received on all connections, which grows while the database answers anything. */
  get receivedBytes(): number {
    return [...this.#open].reduce((sum, socket) => sum + socket.bytesRead, this.#closedBytes);
  }

  /** Closes all connections and fails new ones at once until the database is reachable again. */
  setReachable(isReachable: boolean): void {
    this.#isReachable = isReachable;
    if (isReachable) return;
    for (const socket of this.#open) socket.destroy(new DatabaseUnresponsiveError());
  }
}
