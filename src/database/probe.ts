import type { Database } from "./database.ts";
import { getUnavailability, type Unavailability } from "./database-errors.ts";
import { missingMigrations } from "./migrate.ts";

/** What works at present: `ok`, or why it does not. */
export interface DatabaseState {
  reading: "ok" | "starting" | Unavailability;
  writing: "ok" | "starting" | Unavailability;
}

/** Time for which the result of a write is reused, so that frequent probes cost little. */
const REUSE_MS = 2_000;

/**
 * Commits a row in a table that ends with the transaction. It needs new disk space, so that it fails as other writes do
 * when the disk is full; an update of a row in place would not.
 */
const WRITE = `create temporary table colloquy_write_probe (filler text) on commit drop;
  insert into colloquy_write_probe values ('x')`;

/** Checks whether a database can be read and written. */
export class DatabaseProbe {
  readonly #database: Database;
  #lastWrite: { startedAt: number; state: Promise<DatabaseState["writing"]> } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads, and writes unless it has done so in the last 2 s. */
  async check(): Promise<DatabaseState> {
    const reading = await stateAfter(async () => {
      const missing = await missingMigrations(this.#database);
      return missing.length === 0 ? "ok" : "starting";
    });
    return { reading, writing: reading === "ok" ? await this.#write() : reading };
  }

  #write(): Promise<DatabaseState["writing"]> {
    const now = performance.now();
    if (!this.#lastWrite || now - this.#lastWrite.startedAt > REUSE_MS) {
      const state = stateAfter(async () => {
        await this.#database.run({ runOn: (runner) => runner.execute({ text: WRITE, values: [] }) });
        return "ok";
      });
      this.#lastWrite = { startedAt: now, state };
    }
    return this.#lastWrite.state;
  }
}

/** Returns what `work` returns, or why the database is unavailable. Throws any other error. */
async function stateAfter(work: () => Promise<"ok" | "starting">): Promise<DatabaseState["reading"]> {
  try {
    return await work();
  } catch (error) {
    const unavailability = getUnavailability(error);
    if (unavailability === undefined) throw error;
    return unavailability;
  }
}
