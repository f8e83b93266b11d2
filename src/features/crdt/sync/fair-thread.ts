import { Piscina } from "piscina";
import { getThreadModule } from "../../../config/program-files.ts";
import { unavailable } from "../../../contract/errors.ts";
import { FairSemaphore, type Member } from "../../../database/fair-semaphore.ts";

const IDLE_MS = 60_000;
/** Time that an update waits for its turn. Its client then connects again. */
const TURN_MS = 30_000;

/** A thread that checks updates. Senders take turns, so that one with many sockets does not delay the others. */
export class FairThread<Result> {
  readonly #thread: Piscina<Uint8Array, Result>;
  readonly #turns: FairSemaphore;

  constructor(module: string, maxMegabytes?: number) {
    this.#thread = new Piscina({
      filename: getThreadModule(module),
      ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS },
      ...(maxMegabytes !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxMegabytes } }),
    });
    const limits = { maxPermits: 1, maxWaiting: Number.POSITIVE_INFINITY, maxWaitMs: TURN_MS };
    this.#turns = new FairSemaphore(limits, unavailable("overloaded", "Too many large updates are being checked."));
  }

  async run(update: Uint8Array, sender: Member): Promise<Result> {
    const permit = await this.#turns.acquire(sender);
    try {
      return await this.#thread.run(update);
    } finally {
      permit.release();
    }
  }
}
