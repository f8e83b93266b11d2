import { setTimeout as delay } from "node:timers/promises";
import {
  type DueMessage,
  type DueTarget,
  releaseLease,
  selectDueMessages,
  takeLease,
  withdrawMessages,
} from "./queries.ts";
import { findRoute, type Route } from "./route.ts";
import { type SendingDependencies, sendMessage } from "./send.ts";

/** Maximum number of requests to a target at the same time. */
const MAX_IN_FLIGHT = 8;
const MESSAGES_AT_ONCE = 100;
/** Age of a route at which it is read again. */
const ROUTE_MAX_AGE_MS = 500;
/** Interval at which the lease is renewed, a third of its duration. */
const RENEW_MS = 10_000;

export interface Serving extends SendingDependencies {
  /** ID of this process among those that send. */
  processId: string;
  signal: AbortSignal;
  /** Called with others who now have messages. */
  wake(targets: readonly string[]): void;
}

/**
 * Sends the messages of a target that are due, until there are none. Only the process that holds the lease of the
 * target does so, so that two do not send the same message. Messages about a document keep their order until one fails.
 */
export async function serveTarget(serving: Serving, { target, workspaceId }: DueTarget): Promise<void> {
  const { database, processId, signal } = serving;
  if (!(await takeLease(database, target, processId))) return;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    takeLease(database, target, processId)
      .then((isHeld) => isHeld || lost.abort())
      .catch((err) => serving.log.warn({ err }, "the lease of a webhook could not be renewed"));
  }, RENEW_MS);
  const server = new TargetServer(serving, { target, workspaceId }, AbortSignal.any([signal, lost.signal]));
  try {
    while (await server.sendDue());
    await server.awaitNextTurn();
  } finally {
    clearInterval(renewal);
    await releaseLease(database, target, processId);
  }
}

class TargetServer {
  readonly #serving: Serving;
  readonly #target: DueTarget;
  readonly #signal: AbortSignal;
  #route: { readAt: number; route: Promise<Route | undefined> } | undefined;
  #nextAttemptAt = 0;

  constructor(serving: Serving, target: DueTarget, signal: AbortSignal) {
    this.#serving = serving;
    this.#target = target;
    this.#signal = signal;
  }

  /** Sends the next messages that are due. Returns whether there were any. */
  async sendDue(): Promise<boolean> {
    const { database } = this.#serving;
    if (this.#signal.aborted) return false;
    const messages = await selectDueMessages(database, this.#target.target, MESSAGES_AT_ONCE);
    if (messages.length === 0) return false;
    if (!(await this.#currentRoute())) {
      await withdrawMessages(database, this.#target.target);
      return false;
    }
    // Messages about a document go out one after the other, and several documents at the same time.
    const groups = [...Map.groupBy(messages, documentOf).values()];
    const next = groups.values();
    const sendGroups = async () => {
      for (const group of next) await this.#sendGroup(group);
    };
    const lanes = Array.from({ length: Math.min(MAX_IN_FLIGHT, groups.length) }, sendGroups);
    const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected" && !this.#signal.aborted) throw failed.reason;
    return true;
  }

  /** Sends messages until one fails. The others stay due, so that a receiver that hangs delays no other document. */
  async #sendGroup(messages: readonly DueMessage[]): Promise<void> {
    for (const message of messages) {
      const route = await this.#currentRoute();
      if (!route) return;
      await this.#awaitTurn(route);
      this.#signal.throwIfAborted();
      const { isAccepted, woken } = await sendMessage(this.#serving, { ...this.#target, route }, message, this.#signal);
      this.#serving.wake(woken);
      if (!isAccepted) {
        this.#route = undefined;
        return;
      }
    }
  }

  /** Waits until another attempt is allowed, so that whoever serves the target next obeys the rate limit too. */
  async awaitNextTurn(): Promise<void> {
    const waitMs = Math.max(0, this.#nextAttemptAt - performance.now());
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#signal }).catch(() => {});
  }

  /** Waits until the rate limit allows another attempt. */
  async #awaitTurn({ rateLimit }: Route): Promise<void> {
    if (rateLimit === undefined) return;
    const at = Math.max(performance.now(), this.#nextAttemptAt);
    this.#nextAttemptAt = at + 1_000 / rateLimit;
    await delay(Math.max(0, at - performance.now()), undefined, { signal: this.#signal });
  }

  /** Returns the route, which is read again from time to time: it may have been changed, disabled or deleted. */
  #currentRoute(): Promise<Route | undefined> {
    const now = performance.now();
    if (!this.#route || now - this.#route.readAt > ROUTE_MAX_AGE_MS) {
      const { database, secrets } = this.#serving;
      const { workspaceId, target } = this.#target;
      this.#route = { readAt: now, route: findRoute(database, secrets, workspaceId, target) };
    }
    return this.#route.route;
  }
}

function documentOf({ organizationKey, event: { documentId } }: DueMessage): string {
  return `${organizationKey} ${documentId}`;
}
