export interface SemaphoreLimits {
  /** Maximum number of permits in use. A group gets at most half of them. */
  maxPermits: number;
  /** Maximum number of callers that wait. Past it, the oldest is refused. */
  maxWaiting: number;
  /** Time after which a waiting caller is refused. At most 100 are refused every 50 ms, so some may wait longer. */
  maxWaitMs: number;
  /** Whether the newest caller of a group is the next, so that callers past the capacity do not delay all others. */
  isNewestFirst?: boolean;
}

export interface Permit {
  /** Gives the permit to the next caller. Later calls have no effect. */
  release(): void;
}

interface Group {
  permits: number;
  /** The oldest first. */
  waiting: Waiting[];
}

interface Waiting {
  group: string;
  since: number;
  /** Returns whether nobody waits for the result any more. */
  isAbandoned(): boolean;
  start(permit: Permit): void;
  refuse(error: Error): void;
}

/** Interval at which callers are refused that have waited for too long. */
const SWEEP_INTERVAL_MS = 50;
/** Maximum number of callers that are refused in one turn of the event loop. */
const MAX_SWEPT = 100;

/**
 * A semaphore that no group of callers can take for itself. Groups take turns, so that a caller of one that asks for
 * little does not wait behind all callers of one that asks for much. Waiting is limited and short: it slows callers
 * down that ask again as soon as they are answered, while a refusal would make them ask again at once.
 */
export class FairSemaphore {
  readonly #limits: SemaphoreLimits;
  readonly #refusal: Error;
  readonly #maxOfGroup: number;
  /** Groups with permits or waiting callers. */
  readonly #groups = new Map<string, Group>();
  /** Names of the groups with waiting callers; the first has its turn next. */
  readonly #groupQueue = new Set<string>();
  /** Waiting callers of all groups, the oldest first. */
  readonly #waiting = new Set<Waiting>();
  #permits = 0;
  #sweep: NodeJS.Timeout | undefined;

  /** All refusals are the same error, because recording the stack of each would make them more expensive. */
  constructor(limits: SemaphoreLimits, refusal: Error) {
    this.#limits = limits;
    this.#refusal = refusal;
    this.#maxOfGroup = Math.ceil(limits.maxPermits / 2);
  }

  /** Number of callers that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Returns a permit, or a promise of one. The promise rejects with the refusal after waiting for too long. */
  acquire(group: string, isAbandoned: () => boolean = () => false): Promise<Permit> | Permit {
    if (this.#groupQueue.size === 0 && this.#hasPermitFor(this.#groups.get(group))) return this.#grant(group);
    return new Promise((start, refuse) => {
      this.#wait({ group, since: performance.now(), isAbandoned, start, refuse });
      this.#grantToWaiting();
    });
  }

  #hasPermitFor(group: Group | undefined): boolean {
    return this.#permits < this.#limits.maxPermits && (group?.permits ?? 0) < this.#maxOfGroup;
  }

  #grant(name: string): Permit {
    const group = this.#groupOf(name);
    group.permits++;
    this.#permits++;
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        group.permits--;
        this.#permits--;
        this.#forgetIfIdle(name, group);
        this.#grantToWaiting();
      },
    };
  }

  #groupOf(name: string): Group {
    const known = this.#groups.get(name);
    if (known) return known;
    const group: Group = { permits: 0, waiting: [] };
    this.#groups.set(name, group);
    return group;
  }

  #forgetIfIdle(name: string, { permits, waiting }: Group): void {
    if (permits === 0 && waiting.length === 0) this.#groups.delete(name);
  }

  #wait(caller: Waiting): void {
    this.#groupOf(caller.group).waiting.push(caller);
    this.#groupQueue.add(caller.group);
    this.#waiting.add(caller);
    this.#sweep ??= setInterval(() => this.#refuseOldest(), SWEEP_INTERVAL_MS);
    const [oldest] = this.#waiting;
    if (oldest && this.#waiting.size > this.#limits.maxWaiting) this.#refuse(oldest);
  }

  #grantToWaiting(): void {
    while (this.#permits < this.#limits.maxPermits) {
      const next = this.#next();
      if (!next) return;
      this.#remove(next);
      if (next.isAbandoned()) next.refuse(this.#refusal);
      else next.start(this.#grant(next.group));
    }
  }

  /** Returns the next caller. Skips at most two groups, because two halves are all permits. */
  #next(): Waiting | undefined {
    for (const name of this.#groupQueue) {
      const group = this.#groupOf(name);
      if (!this.#hasPermitFor(group)) continue;
      // The group moves behind the others.
      this.#groupQueue.delete(name);
      this.#groupQueue.add(name);
      return group.waiting.at(this.#limits.isNewestFirst ? -1 : 0);
    }
    return undefined;
  }

  /** Removes a caller that is the oldest or the newest of its group. */
  #remove(caller: Waiting): void {
    const group = this.#groupOf(caller.group);
    this.#waiting.delete(caller);
    if (group.waiting[0] === caller) group.waiting.shift();
    else group.waiting.pop();
    if (group.waiting.length === 0) this.#groupQueue.delete(caller.group);
    this.#forgetIfIdle(caller.group, group);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #refuseOldest(): void {
    const arrivedBefore = performance.now() - this.#limits.maxWaitMs;
    let swept = 0;
    for (const caller of this.#waiting) {
      if (caller.since > arrivedBefore || ++swept > MAX_SWEPT) return;
      this.#refuse(caller);
    }
  }

  #refuse(caller: Waiting): void {
    this.#remove(caller);
    caller.refuse(this.#refusal);
  }
}
