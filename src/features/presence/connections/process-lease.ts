import { randomUUID } from "node:crypto";
import type { Queryable } from "../../../database/statement.ts";
import { deleteLease, endLease, insertLease, type ProcessLease, renewLease } from "./presence-connection-queries.ts";

/** Number of times in a row that a lease is read unchanged after which its process counts as dead. */
const MAX_UNCHANGED = 3;
/** Number of times that the lease of a dead process is read before it is deleted: what it still wrote is found. */
const KEPT_DEAD = 60;

/** A lease as this process has read it, and how many times in a row. */
interface ObservedLease {
  beat: number;
  unchanged: number;
}

/**
 * The lease of this process, and its watch over those of others. A lease is a number that grows with each renewal, and
 * time is counted in own renewals: clocks that jump, and a database that is away, end no lease.
 */
export class ProcessLeases {
  readonly #database: Queryable;
  readonly #observed = new Map<string, ObservedLease>();
  #processId = newId();
  #hasLease = false;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Returns the ID of this process. Creates its lease if it has none. */
  async processId(): Promise<string> {
    const id = this.#processId;
    if (!this.#hasLease) await insertLease(this.#database, id);
    if (this.isOwn(id)) this.#hasLease = true;
    return id;
  }

  /** Returns whether this process still has the ID. */
  isOwn(processId: string): boolean {
    return processId === this.#processId;
  }

  /**
   * Renews the lease. Returns which processes are dead, and whether others have counted this one as dead, which then
   * has another ID. Must be called at regular intervals.
   */
  async renew(): Promise<{ dead: string[]; isLost: boolean }> {
    const ownId = this.#processId;
    const hadLease = this.#hasLease;
    const leases = await renewLease(this.#database, ownId);
    const isLost = hadLease && !leases.some(({ isRenewed }) => isRenewed);
    if (isLost) {
      this.#processId = newId();
      this.#hasLease = false;
    }
    const known = new Set(leases.map(({ processId }) => processId));
    for (const id of this.#observed.keys()) if (!known.has(id)) this.#observed.delete(id);
    const dead: string[] = [];
    for (const lease of leases) if (await this.#isDead(lease)) dead.push(lease.processId);
    return { dead, isLost };
  }

  async #isDead(lease: ProcessLease): Promise<boolean> {
    const { processId, beat, isDead } = lease;
    if (this.isOwn(processId)) return false;
    const known = this.#observed.get(processId);
    const unchanged = known?.beat === beat ? known.unchanged + 1 : 0;
    this.#observed.set(processId, { beat, unchanged });
    if (isDead && unchanged >= KEPT_DEAD) await deleteLease(this.#database, processId);
    if (isDead || unchanged < MAX_UNCHANGED) return isDead;
    return endLease(this.#database, lease);
  }
}

function newId(): string {
  return randomUUID().replaceAll("-", "");
}
