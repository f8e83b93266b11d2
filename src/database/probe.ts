import type { Database } from "./database.ts";
import { getRejection, getUnavailability, type Unavailability } from "./database-errors.ts";
import { readSchemaState } from "./migration-files.ts";

/** What works at present: `ok`, or why it does not. */
export interface DatabaseState {
  reading: "ok" | "starting" | Unavailability;
  writing: "ok" | "starting" | Unavailability;
  /** What an operator must mend, if that is known. */
  problem?: string;
}

type State = DatabaseState["reading"];

/** Result of one check. */
interface Checked {
  state: State;
  problem?: string;
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
  #lastWrite: { startedAt: number; checked: Promise<Checked> } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads, and writes unless it has done so in the last 2 s. */
  async check(): Promise<DatabaseState> {
    const reading = await check(async () => {
      const { missing, outdated } = await readSchemaState(this.#database);
      if (outdated) return { state: "database_unavailable", problem: `${outdated.finding} ${outdated.remedy}` };
      return { state: missing.length === 0 ? "ok" : "starting" };
    });
    const writing = reading.state === "ok" ? await this.#write() : reading;
    return { reading: reading.state, writing: writing.state, ...(writing.problem && { problem: writing.problem }) };
  }

  #write(): Promise<Checked> {
    const now = performance.now();
    if (!this.#lastWrite || now - this.#lastWrite.startedAt > REUSE_MS) {
      const checked = check(async () => {
        await this.#database.run({ runOn: (runner) => runner.execute({ text: WRITE, values: [] }) });
        return { state: "ok" };
      });
      this.#lastWrite = { startedAt: now, checked };
    }
    return this.#lastWrite.checked;
  }
}

/** Returns what `work` returns, or why the database is unavailable. Throws any other error. */
async function check(work: () => Promise<Checked>): Promise<Checked> {
  try {
    return await work();
  } catch (error) {
    const state = getUnavailability(error);
    if (state === undefined) throw error;
    const problem = getRejection(error);
    return problem === undefined ? { state } : { state, problem: `${problem}.` };
  }
}
