/** The last use of one token or session. `usedAt` is in milliseconds since the epoch. */
interface LastUse {
  id: string;
  usedAt: number;
}

/** The last use of tokens or sessions, to be written to the database from time to time. */
export class LastUses {
  #times = new Map<string, number>();

  /** Records a use. `time` is in milliseconds since the epoch. */
  record(id: string, time: number): void {
    this.#times.set(id, time);
  }

  /**
   * Passes the uses since the previous flush to `write`. If it fails, keeps those that are not superseded for the next
   * flush, and throws its error.
   */
  async flush(write: (uses: LastUse[]) => Promise<void>): Promise<void> {
    const times = this.#times;
    this.#times = new Map();
    try {
      await write([...times].map(([id, usedAt]) => ({ id, usedAt })));
    } catch (error) {
      this.#times = new Map([...times, ...this.#times]);
      throw error;
    }
  }
}
