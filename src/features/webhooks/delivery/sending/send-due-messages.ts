import { setTimeout as delay } from "node:timers/promises";
import { acrossOrganizations } from "../../../tenancy/organization-scope.ts";
import { type Destination, findDestination } from "./destination.ts";
import { type SendingDependencies, sendMessage } from "./send.ts";
import {
  cancelMessages,
  type DueMessage,
  type DueTarget,
  releaseLease,
  selectDueMessages,
  takeLease,
} from "./webhook-message-queries.ts";

/** Maximum number of requests to a target at the same time. */
const MAX_IN_FLIGHT = 8;
const MESSAGES_AT_ONCE = 100;
/** Age of a destination at which it is read again. */
const DESTINATION_MAX_AGE_MS = 500;
/** Interval at which the lease is renewed, a third of its duration. */
const RENEW_MS = 10_000;

/** What a process that sends messages needs. */
export interface SendingContext extends SendingDependencies {
  /** ID of this process among those that send. */
  processId: string;
  signal: AbortSignal;
  /** Called with others who now have messages. */
  wake(targets: readonly DueTarget[]): void;
}

/**
 * Sends the messages of a target that are due, until there are none. Only the process that holds the lease of the
 * target does so, so that two do not send the same message. Messages about a document keep their order until one fails.
 */
export async function sendDueMessages(context: SendingContext, { target, workspaceId }: DueTarget): Promise<void> {
  const { database, processId, signal } = context;
  if (!(await takeLease(database, target, processId))) return;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    takeLease(database, target, processId)
      .then((isLocked) => isLocked || lost.abort())
      .catch((err) => context.log.warn({ err }, "the lease of a webhook could not be renewed"));
  }, RENEW_MS);
  const sender = new TargetSender(context, { target, workspaceId }, AbortSignal.any([signal, lost.signal]));
  try {
    while (await sender.sendDue());
    await sender.awaitNextTurn();
  } finally {
    clearInterval(renewal);
    await releaseLease(database, target, processId);
  }
}

class TargetSender {
  readonly #context: SendingContext;
  readonly #target: DueTarget;
  readonly #signal: AbortSignal;
  #destination: { readAt: number; found: Promise<Destination | undefined> } | undefined;
  #nextAttemptAt = 0;

  constructor(context: SendingContext, target: DueTarget, signal: AbortSignal) {
    this.#context = context;
    this.#target = target;
    this.#signal = signal;
  }

  /** Sends the next messages that are due. Returns whether there were any. */
  async sendDue(): Promise<boolean> {
    if (this.#signal.aborted) return false;
    const scope = acrossOrganizations(this.#context.database);
    const messages = await selectDueMessages(scope, this.#target.target, MESSAGES_AT_ONCE);
    if (messages.length === 0) return false;
    if (!(await this.#currentDestination())) {
      await cancelMessages(scope, this.#target.target);
      return false;
    }
    // Messages about a document go out one after the other, and several documents at the same time.
    const groups = [...Map.groupBy(messages, getDocument).values()];
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
      const destination = await this.#currentDestination();
      if (!destination) return;
      await this.#awaitTurn(destination);
      this.#signal.throwIfAborted();
      const { isAccepted, woken } = await sendMessage(
        this.#context,
        { ...this.#target, destination },
        message,
        this.#signal,
      );
      this.#context.wake(woken.map((target) => ({ ...this.#target, target })));
      if (!isAccepted) {
        this.#destination = undefined;
        return;
      }
    }
  }

  /** Waits until another attempt is allowed, so that the next sender to the target obeys the rate limit too. */
  async awaitNextTurn(): Promise<void> {
    const waitMs = Math.max(0, this.#nextAttemptAt - performance.now());
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#signal }).catch(() => {});
  }

  /** Waits until the rate limit allows another attempt. */
  async #awaitTurn({ rateLimit }: Destination): Promise<void> {
    if (rateLimit === undefined) return;
    const at = Math.max(performance.now(), this.#nextAttemptAt);
    this.#nextAttemptAt = at + 1_000 / rateLimit;
    await delay(Math.max(0, at - performance.now()), undefined, { signal: this.#signal });
  }

  /** Returns the destination, which is read again from time to time: it may have been changed, disabled or deleted. */
  #currentDestination(): Promise<Destination | undefined> {
    const now = performance.now();
    if (!this.#destination || now - this.#destination.readAt > DESTINATION_MAX_AGE_MS) {
      const { database, secrets } = this.#context;
      const { workspaceId, target } = this.#target;
      this.#destination = { readAt: now, found: findDestination(database, secrets, workspaceId, target) };
    }
    return this.#destination.found;
  }
}

function getDocument({ organizationKey, event: { documentId } }: DueMessage): string {
  return `${organizationKey} ${documentId}`;
}
