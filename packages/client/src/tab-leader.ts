import { wait } from "./back-off.ts";
import type { Connection } from "./connection.ts";
import { followStream, type StreamFilter } from "./stream.ts";
import { getLockName, type Letter, type Member, type Want, withLock } from "./tab-letters.ts";

/** Time for which changes of what members want are gathered before another stream is opened. */
const GATHERING_MS = 50;
/** Maximum number of documents that the service lets one stream follow. */
const MAX_DOCUMENTS = 100;

type Unsent<Sent> = Sent extends unknown ? Omit<Sent, "from"> : never;

/** What a letter has besides its sender. */
export type Content = Unsent<Letter>;

interface LeaderOptions {
  connection: Connection;
  member: Member;
  filter: Pick<StreamFilter, "organizationId" | "kinds">;
  /** Cursor from which the stream resumes. */
  cursor: string | undefined;
  /** Sends a letter to the other members and to this one. */
  send(content: Content): void;
  /** Throws if the stream would now be that of another user. */
  checkUser(): Promise<void>;
  /** Aborted when another member leads. */
  signal: AbortSignal;
}

/** Holds the stream of all members. It is opened again, from where it was, when they want something else. */
export class Leader {
  readonly #options: LeaderOptions;
  readonly #wants = new Map<string, Want>();
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
    this.want(options.member.id, options.member.want);
  }

  /** Takes what a member wants. */
  want(id: string, want: Want): void {
    const { member, send } = this.#options;
    const isNew = !this.#wants.has(id);
    this.#wants.set(id, want);
    if (isNew && id !== member.id) void this.#removeWhenGone(id);
    if (id !== member.id) send({ type: "alive" });
    this.#refreshSoon();
  }

  /** Removes a member once its lock is free, because its tab was closed, has crashed, or follows no more. */
  async #removeWhenGone(id: string): Promise<void> {
    const { member, signal } = this.#options;
    try {
      await withLock(getLockName(member, id), { signal }, () => this.#wants.delete(id));
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
    // Who begins to want presence data needs all of it, which a stream sends at its beginning.
    const presence = members.filter((id) => this.#wants.get(id)?.presenceData);
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

  /** Returns all that members want, and the members. Those for whose documents there is no room have other streams. */
  #unite(): { union: Pick<StreamFilter, "documentIds" | "inbox" | "activities" | "presenceData">; members: string[] } {
    let documentIds = new Set<string>();
    const [members, others]: [string[], string[]] = [[], []];
    for (const [id, want] of this.#wants) {
      const together = new Set([...documentIds, ...want.documentIds]);
      const hasRoom = together.size <= MAX_DOCUMENTS || members.length === 0;
      if (hasRoom) documentIds = together;
      (hasRoom ? members : others).push(id);
    }
    for (const id of others) this.#wants.delete(id);
    if (others.length > 0) this.#options.send({ type: "full", members: others });
    const wants = [...this.#wants.values()];
    const union = {
      documentIds: [...documentIds].sort(),
      ...(wants.some(({ inbox }) => inbox) && { inbox: true as const }),
      ...(wants.some(({ activities }) => activities) && { activities: true as const }),
      presenceData: wants.some(({ presenceData }) => presenceData),
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
      // Those who may follow what they want say again what that is.
      this.#wants.clear();
      this.#followed = "";
      send({ type: "rejected" });
    }
  }
}
