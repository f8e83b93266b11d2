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
 * Meanwhile `untilWoken` resolves whenever there are further messages.
 */
export async function sendDueMessages(
  context: SendingContext,
  { target, workspaceId }: DueTarget,
  untilWoken: () => Promise<void>,
): Promise<void> {
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
    await sender.sendDue(untilWoken);
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

  /**
   * Sends messages until none are due: those about a document one after the other, and several documents at the same
   * time. A document whose message gets no response takes one place of these, and the others go on.
   */
  async sendDue(untilWoken: () => Promise<void>): Promise<void> {
    const sending = new Map<string, Promise<void>>();
    let failure: unknown;
    let waiting: DueMessage[][] = [];
    const start = (group: DueMessage[], document: string) => {
      const sent = this.#sendGroup(group)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => sending.delete(document));
      sending.set(document, sent);
    };
    for (;;) {
      const woken = untilWoken();
      while (sending.size < MAX_IN_FLIGHT && failure === undefined && !this.#signal.aborted) {
        if (waiting.length === 0) waiting = await this.#selectDue([...sending.keys()]);
        const group = waiting.shift();
        if (!group?.[0]) break;
        start(group, getDocument(group[0]));
      }
      if (sending.size === 0) break;
      await Promise.race([woken, ...sending.values()]);
    }
    if (failure !== undefined && !this.#signal.aborted) throw failure;
  }

  /** Returns the next messages that are due by document, without those of documents whose messages are being sent. */
  async #selectDue(excluded: readonly string[]): Promise<DueMessage[][]> {
    const scope = acrossOrganizations(this.#context.database);
    const { target } = this.#target;
    const messages = await selectDueMessages(scope, target, { excluded, limit: MESSAGES_AT_ONCE });
    if (messages.length > 0 && !(await this.#currentDestination())) {
      await cancelMessages(scope, target);
      return [];
    }
    return [...Map.groupBy(messages, getDocument).values()];
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

/** Returns the document of a message as `selectDueMessages` excludes it. */
function getDocument({ organizationKey, event: { documentId } }: DueMessage): string {
  return `${organizationKey} ${documentId ?? ""}`;
}
