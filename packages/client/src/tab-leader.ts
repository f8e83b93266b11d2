import { wait } from "./back-off.ts";
import type { Connection } from "./connection.ts";
import { followStream, type StreamFilter } from "./stream.ts";
import { getLockName, type Member, type Subscription, type TabMessage, withLock } from "./tab-messages.ts";

/** Time for which changes of subscriptions are gathered before another stream is opened. */
const GATHERING_MS = 50;
/** Maximum number of documents that the service lets one stream follow. */
const MAX_DOCUMENTS = 100;

type Unsent<Sent> = Sent extends unknown ? Omit<Sent, "from"> : never;

/** A message without its sender. */
export type Content = Unsent<TabMessage>;

interface LeaderOptions {
  connection: Connection;
  member: Member;
  filter: Pick<StreamFilter, "organizationId" | "kinds">;
  /** Cursor from which the stream resumes. */
  cursor: string | undefined;
  /** Sends a message to the other members and to this one. */
  send(content: Content): void;
  /** Throws if the stream would now be that of another user. */
  checkUser(): Promise<void>;
  /** Aborted when another member leads. */
  signal: AbortSignal;
}

/** Holds the stream of all members. It is opened again, from its last cursor, when their subscriptions change. */
export class Leader {
  readonly #options: LeaderOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  #cursor: string | undefined;
  /** What the stream follows, as text. */
  #followed = "";
  /** The members that the stream is for. */
  #members: string[] = [];
  #closing = new AbortController();
  #isOpen = false;
  #gathering: Promise<void> | undefined;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#cursor = options.cursor;
    options.signal.addEventListener("abort", () => this.#closing.abort());
    options.send({ type: "lead" });
    this.subscribe(options.member.id, options.member.subscription);
  }

  /** Replaces the subscription of a member. */
  subscribe(id: string, subscription: Subscription): void {
    const { member, send } = this.#options;
    const isNew = !this.#subscriptions.has(id);
    this.#subscriptions.set(id, subscription);
    if (isNew && id !== member.id) void this.#removeWhenGone(id);
    if (id !== member.id) send({ type: "alive" });
    this.#refreshSoon();
  }

  /** Removes a member once its lock is free, because its tab was closed, has crashed, or follows no more. */
  async #removeWhenGone(id: string): Promise<void> {
    const { member, signal } = this.#options;
    try {
      await withLock(getLockName(member, id), { signal }, () => this.#subscriptions.delete(id));
      this.#refreshSoon();
    } catch {
      // Another member leads.
    }
  }

  #refreshSoon(): void {
    const { signal } = this.#options;
    this.#gathering ??= wait(GATHERING_MS, signal).then(
      () => {
        this.#gathering = undefined;
        this.#refresh();
      },
      () => {},
    );
  }

  #refresh(): void {
    const { filter, send } = this.#options;
    const { union, members } = this.#unite();
    this.#members = members;
    // A new subscriber to presence data needs all of it, which a stream sends at its beginning.
    const presence = members.filter((id) => this.#subscriptions.get(id)?.presenceData);
    const followed = JSON.stringify([union, presence]);
    if (followed === this.#followed) {
      if (this.#isOpen) send({ type: "open", members, cursor: this.#cursor ?? "" });
      return;
    }
    this.#followed = followed;
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#isOpen = false;
    if (members.length > 0) void this.#follow({ ...filter, ...union }, this.#closing.signal);
  }

  /** Returns the union of the subscriptions, and its members. Leaves out members whose documents do not fit. */
  #unite(): { union: Pick<StreamFilter, "documentIds" | "inbox" | "activities" | "presenceData">; members: string[] } {
    let documentIds = new Set<string>();
    const [members, others]: [string[], string[]] = [[], []];
    for (const [id, subscription] of this.#subscriptions) {
      const together = new Set([...documentIds, ...subscription.documentIds]);
      const hasRoom = together.size <= MAX_DOCUMENTS || members.length === 0;
      if (hasRoom) documentIds = together;
      (hasRoom ? members : others).push(id);
    }
    for (const id of others) this.#subscriptions.delete(id);
    if (others.length > 0) this.#options.send({ type: "full", members: others });
    const all = [...this.#subscriptions.values()];
    const union = {
      documentIds: [...documentIds].sort(),
      ...(all.some(({ inbox }) => inbox) && { inbox: true as const }),
      ...(all.some(({ activities }) => activities) && { activities: true as const }),
      presenceData: all.some(({ presenceData }) => presenceData),
    };
    return { union, members };
  }

  async #follow(filter: StreamFilter, signal: AbortSignal): Promise<void> {
    const { connection, send, checkUser } = this.#options;
    const onStatus = (status: "open" | "connecting") => {
      if (signal.aborted) return;
      this.#isOpen = status === "open";
      if (this.#isOpen) send({ type: "open", members: this.#members, cursor: this.#cursor ?? "" });
      else send({ type: "connecting" });
    };
    try {
      const options = { filter, cursor: this.#cursor, onStatus, beforeConnecting: checkUser, signal };
      for await (const message of followStream(connection, options)) {
        if (signal.aborted) return;
        this.#cursor = message.cursor;
        send({ type: "message", message });
      }
    } catch {
      if (signal.aborted) return;
      // Members that may follow their documents subscribe again.
      this.#subscriptions.clear();
      this.#followed = "";
      send({ type: "rejected" });
    }
  }
}
