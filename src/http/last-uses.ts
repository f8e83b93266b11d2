/** What has been used since it was last asked for, such as a token. */
export class LastUses {
  #times = new Map<string, number>();

  /** `time` in milliseconds since the epoch. */
  note(id: string, time: number): void {
    this.#times.set(id, time);
  }

  /** Each with the time of its last use, in milliseconds since the epoch. */
  take(): { id: string; usedAt: number }[] {
    const uses = [...this.#times].map(([id, usedAt]) => ({ id, usedAt }));
    this.#times = new Map();
    return uses;
  }
}
