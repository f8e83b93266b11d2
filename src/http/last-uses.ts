/** The last use of tokens or sessions, to be written to the database from time to time. */
export class LastUses {
  #times = new Map<string, number>();

  /** Records a use. `time` is in milliseconds since the epoch. */
  record(id: string, time: number): void {
    this.#times.set(id, time);
  }

  /** Returns the last use of each ID since the previous call, in milliseconds since the epoch. */
  take(): { id: string; usedAt: number }[] {
    const uses = [...this.#times].map(([id, usedAt]) => ({ id, usedAt }));
    this.#times = new Map();
    return uses;
  }
}
