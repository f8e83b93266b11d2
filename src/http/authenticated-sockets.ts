import type { Limits } from "../config/limits.ts";
import type { EndUser } from "../contract/end-user.ts";
import { limitError } from "../contract/limit-error.ts";
import type { Workspace } from "../contract/operation.ts";
import { OpenCounts } from "./open-counts.ts";

/** Limits the WebSockets of a process that have sent valid tokens, by user. */
export class AuthenticatedSockets {
  readonly #limits: Limits["authenticatedSockets"];
  readonly #open = new OpenCounts();

  constructor(limits: Limits["authenticatedSockets"]) {
    this.#limits = limits;
  }

  /** Counts a socket whose user is not known yet. */
  opened(): SocketUsers {
    return new SocketUsers(this.#open, this.#limits.maxOfUser);
  }
}

/** The users of a socket: one, unless its client sends tokens of several. */
export class SocketUsers {
  readonly #open: OpenCounts;
  readonly #maxOfUser: number;
  readonly #leave = new Map<string, () => void>();
  #isClosed = false;

  constructor(open: OpenCounts, maxOfUser: number) {
    this.#open = open;
    this.#maxOfUser = maxOfUser;
  }

  /** Counts the socket to a user who has sent a valid token. Throws RESOURCE_EXHAUSTED if the user has too many. */
  add({ id }: Pick<Workspace, "id">, { userId }: Pick<EndUser, "userId">): void {
    const name = `${id} ${userId}`;
    if (this.#isClosed || this.#leave.has(name)) return;
    const leave = this.#open.enter(name, this.#maxOfUser);
    if (!leave) {
      const message = `The user has ${this.#maxOfUser} WebSockets open at this process, the maximum.`;
      throw limitError("sockets", message);
    }
    this.#leave.set(name, leave);
  }

  closed(): void {
    this.#isClosed = true;
    for (const leave of this.#leave.values()) leave();
  }
}
