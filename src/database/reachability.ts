import type { Logger } from "pino";
import type { PoolSockets } from "./pool-sockets.ts";

interface ReachabilityOptions {
  poolSockets: Pick<PoolSockets, "receivedBytes" | "setReachable">;
  /** Number of attempts to connect without any response after which the database counts as unreachable. */
  maxSilentAttempts: number;
  log: Logger;
}

/** Decides from attempts to connect whether the database is reachable, and passes that to the sockets of the pool. */
export class Reachability {
  readonly #options: ReachabilityOptions;
  #receivedBytes: number;
  #silentAttempts = 0;

  constructor(options: ReachabilityOptions) {
    this.#options = options;
    this.#receivedBytes = options.poolSockets.receivedBytes;
  }

  /** Records that the database has responded to an attempt, even if it rejected it. */
  recordResponse(): void {
    const { poolSockets, maxSilentAttempts, log } = this.#options;
    if (this.#silentAttempts >= maxSilentAttempts) log.info("the database responds again");
    this.#silentAttempts = 0;
    poolSockets.setReachable(true);
  }

  /** Records an attempt without a response. It does not count if the pool has received bytes since the one before. */
  recordSilence(): void {
    const { poolSockets, maxSilentAttempts, log } = this.#options;
    const { receivedBytes } = poolSockets;
    if (receivedBytes !== this.#receivedBytes) this.recordResponse();
    else if (++this.#silentAttempts === maxSilentAttempts) {
      log.warn("the database does not respond; requests are UNAVAILABLE until it does");
      poolSockets.setReachable(false);
    }
    this.#receivedBytes = poolSockets.receivedBytes;
  }
}
