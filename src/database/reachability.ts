import type { Logger } from "pino";
import type { PoolSockets } from "./pool-sockets.ts";

interface ReachabilityOptions {
  poolSockets: Pick<PoolSockets, "receivedBytes" | "setReachable">;
  /** Number of attempts to connect without any answer after which the database counts as unreachable. */
  maxSilentAttempts: number;
  log: Logger;
}

/** Decides from attempts to connect whether the database is reachable, and tells the sockets of the pool. */
export class Reachability {
  readonly #options: ReachabilityOptions;
  #receivedBytes: number;
  #silentAttempts = 0;

  constructor(options: ReachabilityOptions) {
    this.#options = options;
    this.#receivedBytes = options.poolSockets.receivedBytes;
  }

  /** Records that the database has answered an attempt, even if it refused it. */
  recordResponse(): void {
    const { poolSockets, maxSilentAttempts, log } = this.#options;
    if (this.#silentAttempts >= maxSilentAttempts) log.info("the database answers again");
    this.#silentAttempts = 0;
    poolSockets.setReachable(true);
  }

  /** Records an attempt without an answer. It does not count if the pool has received bytes since the one before. */
  recordSilence(): void {
    const { poolSockets, maxSilentAttempts, log } = this.#options;
    const { receivedBytes } = poolSockets;
    if (receivedBytes !== this.#receivedBytes) this.recordResponse();
    else if (++this.#silentAttempts === maxSilentAttempts) {
      log.warn("the database does not answer; requests are UNAVAILABLE until it does");
      poolSockets.setReachable(false);
    }
    this.#receivedBytes = poolSockets.receivedBytes;
  }
}
