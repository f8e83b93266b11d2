import { unavailable } from "../contract/errors.ts";

export interface AdmissionLimits {
  /** Maximum number of requests in progress. A group gets at most half of them. */
  maxRunning: number;
  /** Maximum number of requests that wait. Past it, the oldest is refused. */
  maxWaiting: number;
  maxWaitMs: number;
}

/** Place of a request among those in progress. */
export interface Place {
  /** Gives the place to the next request. Later calls have no effect. */
  leave(): void;
}

interface Group {
  running: number;
  waiting: Set<Waiting>;
}

interface Waiting {
  group: string;
  since: number;
  /** Returns whether the client has disconnected. */
  isAbandoned(): boolean;
  start(place: Place): void;
  refuse(error: Error): void;
}

/** One error for all refusals, because recording the stack of each would make them more expensive. */
const OVERLOADED = unavailable("overloaded", "The service is overloaded.");
/** How often the requests are refused that have waited too long. */
const SWEEP_INTERVAL_MS = 50;

/**
 * Limits the requests in progress and lets others wait for a short time, which slows callers down that send the next
 * request after an answer; a refusal would make them reconnect at once. Groups take turns, so that a request of one
 * that sends little does not wait behind all requests of one that sends much.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #maxOfGroup: number;
  /** Groups with requests in progress or waiting. */
  readonly #groups = new Map<string, Group>();
  /** Names of the groups with waiting requests; the first has its turn next. */
  readonly #turns = new Set<string>();
  /** Waiting requests of all groups, the oldest first. */
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#maxOfGroup = Math.ceil(limits.maxRunning / 2);
  }

  /** Resolves when the request may start. Throws UNAVAILABLE if it has to wait for too long. */
  enter(group: string, isAbandoned: () => boolean): Promise<Place> | Place {
    if (this.#turns.size === 0 && this.#hasPlaceFor(this.#groups.get(group))) return this.#start(group);
    return new Promise((start, refuse) => {
      this.#wait({ group, since: performance.now(), isAbandoned, start, refuse });
      this.#startWaiting();
    });
  }

  #hasPlaceFor(group: Group | undefined): boolean {
    return this.#running < this.#limits.maxRunning && (group?.running ?? 0) < this.#maxOfGroup;
  }

  #start(name: string): Place {
    const group = this.#groupOf(name);
    group.running++;
    this.#running++;
    let hasLeft = false;
    return {
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        group.running--;
        this.#running--;
        this.#forgetIfIdle(name, group);
        this.#startWaiting();
      },
    };
  }

  #groupOf(name: string): Group {
    const known = this.#groups.get(name);
    if (known) return known;
    const group = { running: 0, waiting: new Set<Waiting>() };
    this.#groups.set(name, group);
    return group;
  }

  #forgetIfIdle(name: string, { running, waiting }: Group): void {
    if (running === 0 && waiting.size === 0) this.#groups.delete(name);
  }

  #wait(request: Waiting): void {
    this.#groupOf(request.group).waiting.add(request);
    this.#turns.add(request.group);
    this.#waiting.add(request);
    this.#sweep ??= setInterval(() => this.#refuseOldest(), SWEEP_INTERVAL_MS);
    const [oldest] = this.#waiting;
    if (oldest && this.#waiting.size > this.#limits.maxWaiting) this.#refuse(oldest);
  }

  #startWaiting(): void {
    while (this.#running < this.#limits.maxRunning) {
      const next = this.#next();
      if (!next) return;
      this.#remove(next);
      if (next.isAbandoned()) next.refuse(OVERLOADED);
      else next.start(this.#start(next.group));
    }
  }

  /** Returns the oldest request of the next group that has not taken its half. At most two groups have. */
  #next(): Waiting | undefined {
    for (const name of this.#turns) {
      const group = this.#groupOf(name);
      if (!this.#hasPlaceFor(group)) continue;
      // The group moves behind the others.
      this.#turns.delete(name);
      this.#turns.add(name);
      const [oldest] = group.waiting;
      return oldest;
    }
    return undefined;
  }

  #remove(request: Waiting): void {
    const group = this.#groupOf(request.group);
    this.#waiting.delete(request);
    group.waiting.delete(request);
    if (group.waiting.size === 0) this.#turns.delete(request.group);
    this.#forgetIfIdle(request.group, group);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #refuseOldest(): void {
    const arrivedBefore = performance.now() - this.#limits.maxWaitMs;
    for (const request of this.#waiting) {
      if (request.since > arrivedBefore) return;
      this.#refuse(request);
    }
  }

  #refuse(request: Waiting): void {
    this.#remove(request);
    request.refuse(OVERLOADED);
  }
}
