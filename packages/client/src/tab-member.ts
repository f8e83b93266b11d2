import { untilAborted, wait } from "./back-off.ts";
import type { Connection } from "./connection.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { readLoggedEvents } from "./logged-events.ts";
import { type Message, PRESENCE_DATA, SILENCE_MS, type StreamFilter, type StreamStatus } from "./stream.ts";
import { type Content, Leader } from "./tab-leader.ts";
import { getLockName, type Member, type Subscription, type TabMessage, withLock } from "./tab-messages.ts";
import type { TabChannel, TabPage } from "./tab-page.ts";
import { TabSelection } from "./tab-selection.ts";

/** Time within which a leader responds. After it, another member takes the lead of one whose tab is frozen. */
const RESPONSE_MS = 5_000;
/** Interval at which a member checks that its own user is still that of the stream. */
const USER_CHECK_MS = 15_000;
/** Number of messages that wait for a slow consumer. Past that, the member reads the log instead. */
const MAX_WAITING = 1_000;

/**
 * Why a member has ended: it needs a stream of its own, its user has changed, or the page is hidden, and must not hold
 * locks and channels.
 */
export type Outcome = "alone" | "otherUser" | "hidden";

export interface MemberOptions {
  page: TabPage;
  connection: Connection;
  filter: StreamFilter;
  name: string;
  cursor: string | undefined;
  onStatus: (status: StreamStatus) => void;
  /** Returns whether the stream would now be that of another user. Throws if nobody is signed in. */
  hasOtherUser(): Promise<boolean>;
  signal: AbortSignal | undefined;
}

/** Follows the stream that one of several tabs holds, and holds it for all of them while it leads. */
export class TabMember implements Member {
  readonly name: string;
  readonly id: string = newIdempotencyKey();
  readonly subscription: Subscription;
  /** Cursor of the last message that was yielded. */
  cursor: string | undefined;
  readonly #options: MemberOptions;
  readonly #leaving = new AbortController();
  readonly #channel: TabChannel;
  #waiting: TabMessage[] = [];
  #wake: () => void = () => {};
  #outcome: Outcome | undefined;
  /** ID of the member that leads, if it is known. */
  #leaderId: string | undefined;
  /** The leader's last message that lists the members of its stream. */
  #opened: Extract<TabMessage, { type: "open" }> | undefined;
  /** Cursor of the last message of the leader that has arrived. */
  #arrived: string | undefined;
  /** Set while this member leads, or waits for the lock of the leader. */
  #leading: AbortController | undefined;
  #leader: Leader | undefined;
  readonly #selection: TabSelection;
  #checkAt = 0;

  constructor(options: MemberOptions) {
    const { documentId = [], documentIds = [], ...anywhere } = options.filter;
    const { inbox = false, activities = false, presenceData = false } = anywhere;
    this.#options = options;
    this.name = options.name;
    this.cursor = options.cursor;
    this.subscription = {
      documentIds: [...new Set([documentIds, documentId].flat())],
      inbox,
      activities,
      presenceData,
    };
    this.#selection = new TabSelection(this.subscription);
    const { page } = options;
    this.#channel = new page.BroadcastChannel(this.name);
    this.#channel.onmessage = ({ data }) => this.#receive(castTabMessage(data));
    page.addEventListener("pagehide", this.#hide);
    page.document.addEventListener("freeze", this.#hide);
  }

  /** Yields the messages for this member until it has to end. Throws what a stream of its own would throw. */
  async *follow(): AsyncGenerator<Message, Outcome> {
    const { onStatus, hasOtherUser } = this.#options;
    if (this.cursor === undefined && !(yield* this.#catchUp())) return "otherUser";
    if (!(await this.#join())) return this.#outcome ?? "alone";
    let isLive = false;
    let rejections = 0;
    for (;;) {
      const received = await this.#next();
      if (typeof received === "string") return received;
      switch (received.type) {
        case "open": {
          isLive = received.members.includes(this.id);
          if (!isLive) {
            this.#post({ type: "subscribe", subscription: this.subscription });
            break;
          }
          rejections = 0;
          const isSame = received.cursor === this.cursor ? !(await hasOtherUser()) : yield* this.#catchUp();
          if (!isSame) return "otherUser";
          onStatus("open");
          break;
        }
        case "connecting":
          onStatus("connecting");
          break;
        case "message": {
          if (!isLive) break;
          const { message } = received;
          yield this.#take(this.#selection.isNew(message) ? message : { cursor: message.cursor });
          if (await this.#hasOtherUser()) return "otherUser";
          break;
        }
        case "rejected": {
          isLive = false;
          onStatus("connecting");
          rejections += 1;
          if (rejections > 1) return "alone";
          if (!(yield* this.#catchUp())) return "otherUser";
          this.#send({ type: "subscribe", subscription: this.subscription });
          break;
        }
        case "full":
          if (received.members.includes(this.id)) return "alone";
      }
    }
  }

  leave(): void {
    const { page } = this.#options;
    page.removeEventListener("pagehide", this.#hide);
    page.document.removeEventListener("freeze", this.#hide);
    this.#leaving.abort();
    this.#leading?.abort();
    this.#channel.close();
  }

  readonly #hide = (): void => this.#end("hidden");

  #end(outcome: Outcome): void {
    this.#outcome = outcome;
    this.leave();
    this.#wake();
  }

  /** Becomes a member. Returns false if this page may have no locks. */
  async #join(): Promise<boolean> {
    const { signal } = this.#leaving;
    const isThere = new Promise<void>((resolve, reject) => {
      const hold = () => {
        resolve();
        return new Promise<void>((end) => signal.addEventListener("abort", () => end()));
      };
      withLock(getLockName(this, this.id), { signal }, hold).catch(reject);
    });
    try {
      await isThere;
    } catch {
      return false;
    }
    this.#requestLead();
    this.#post({ type: "subscribe", subscription: this.subscription });
    return true;
  }

  /** Leads as soon as nobody else does, or at once. */
  #requestLead(steal = false): void {
    this.#leading?.abort();
    const leading = new AbortController();
    this.#leading = leading;
    const { signal } = leading;
    const lead = () => this.#lead(signal);
    withLock(this.name, steal ? { steal } : { signal }, lead).catch(() => {
      leading.abort();
      // A member that has heard nothing of this one, whose tab was frozen, has taken the lead.
      if (this.#leading === leading && !this.#leaving.signal.aborted) this.#requestLead();
    });
  }

  async #lead(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { connection, filter, hasOtherUser } = this.#options;
    this.#leader = new Leader({
      ...{ connection, filter, signal, member: this, cursor: this.#arrived ?? this.cursor },
      send: (content) => this.#send(content),
      checkUser: async () => {
        if (!(await hasOtherUser())) return;
        this.#end("otherUser");
        signal.throwIfAborted();
      },
    });
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    this.#leader = undefined;
  }

  #post(content: Content): void {
    if (!this.#leaving.signal.aborted) this.#channel.postMessage({ ...content, from: this.id });
  }

  /** Sends a message to the others and to this member. */
  #send(content: Content): void {
    this.#post(content);
    this.#receive({ ...content, from: this.id });
  }

  #receive(received: TabMessage): void {
    const { type, from } = received;
    if (type === "subscribe") {
      this.#leader?.subscribe(from, received.subscription);
      return;
    }
    if (type === "lead" || this.#leaderId === undefined) this.#leaderId = from;
    // A leader that has lost the lead may still send.
    if (from !== this.#leaderId) return;
    if (type === "lead" && from !== this.id) this.#post({ type: "subscribe", subscription: this.subscription });
    if (type === "message") this.#arrived = received.message.cursor;
    if (type === "open") this.#opened = received;
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(received);
    // No message has this cursor, so that the member reads from the log what it has not taken.
    else this.#waiting = this.#opened ? [{ ...this.#opened, cursor: "" }] : [];
    this.#wake();
  }

  /** Returns the next message of the leader, or why the member has to end. */
  async #next(): Promise<TabMessage | Outcome> {
    for (;;) {
      if (this.#outcome) return this.#outcome;
      const received = this.#waiting.shift();
      if (received) return received;
      const isAsked = this.#leaderId === undefined;
      if (await this.#hears(isAsked ? RESPONSE_MS : SILENCE_MS)) continue;
      if (this.#leader) continue;
      if (isAsked) this.#requestLead(true);
      this.#leaderId = undefined;
      this.#post({ type: "subscribe", subscription: this.subscription });
    }
  }

  /** Resolves when there is something to take, or with false when the time is over. */
  async #hears(ms: number): Promise<boolean> {
    const { signal } = this.#options;
    const waiting = new AbortController();
    const heard = new Promise<true>((resolve) => {
      this.#wake = () => resolve(true);
    });
    const over = wait(ms, waiting.signal).then(() => false);
    over.catch(() => {});
    try {
      return await untilAborted(Promise.race([heard, over]), signal);
    } finally {
      waiting.abort();
    }
  }

  /**
   * Yields the events since the cursor from the log, as a stream of this member alone would. Returns false if its user
   * has changed.
   */
  async *#catchUp(): AsyncGenerator<Message, boolean> {
    const { connection, filter, signal, hasOtherUser } = this.#options;
    if (await hasOtherUser()) return false;
    for await (const message of readLoggedEvents(connection, filter, { cursor: this.cursor, signal })) {
      yield this.#take(message);
    }
    return true;
  }

  /** Takes a message that is for this member. */
  #take(message: Message): Message {
    this.cursor = message.cursor;
    if (message.event !== undefined && message.event !== PRESENCE_DATA) this.#selection.remember(message.cursor);
    return message;
  }

  async #hasOtherUser(): Promise<boolean> {
    const now = Date.now();
    if (now < this.#checkAt) return false;
    this.#checkAt = now + USER_CHECK_MS;
    return this.#options.hasOtherUser();
  }
}

/** Casts what has arrived: only members send on the channel. */
function castTabMessage(data: unknown): TabMessage {
  return data as TabMessage;
}
