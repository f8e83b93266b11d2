import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { findPrimary, getAddress, isSuccessor, type Primary } from "./hosts.ts";

/** Interval at which all hosts are asked, in case a standby was promoted while the former primary still responds. */
const INTERVAL_MS = 5_000;
/** Shortest time between two attempts to find the primary. */
const PAUSE_MS = 250;

/** Knows which host of DATABASE_URL is the primary. With one host, it is that one. */
export class PrimaryHost {
  readonly #hosts: readonly pg.ClientConfig[];
  readonly #log: Logger;
  readonly #onChange: () => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #primary: Primary;
  #finding: Promise<void> | undefined;
  #isClosed = false;

  /** `connection` is one of the hosts. `onChange` is called after another host became the primary. */
  constructor(options: {
    connection: pg.ClientConfig;
    hosts: readonly pg.ClientConfig[];
    log: Logger;
    onChange: () => void;
  }) {
    this.#hosts = options.hosts;
    this.#log = options.log;
    this.#onChange = options.onChange;
    this.#primary = { connection: options.connection };
    if (this.hasSeveral) this.#timer = setInterval(() => this.recheck(), INTERVAL_MS).unref();
  }

  get hasSeveral(): boolean {
    return this.#hosts.length > 1;
  }

  /** The same object until another host is the primary. */
  get connection(): pg.ClientConfig {
    return this.#primary.connection;
  }

  /** Looks for the primary in the background, because a connection has failed. */
  recheck(): void {
    if (!this.hasSeveral || this.#isClosed) return;
    this.#finding ??= this.#find().finally(() => {
      this.#finding = undefined;
    });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #find(): Promise<void> {
    // While no host is a primary, requests report that.
    const found = await findPrimary(this.#hosts).catch(() => undefined);
    if (found && !this.#isClosed && isSuccessor(found, this.#primary)) {
      const { connection } = this.#primary;
      const isChanged = found.connection.connectionString !== connection.connectionString;
      this.#primary = isChanged ? found : { ...found, connection };
      if (isChanged) {
        this.#log.warn(`${getAddress(found)} is the primary of the database now`);
        this.#onChange();
      }
    }
    await delay(PAUSE_MS, undefined, { ref: false });
  }
}
