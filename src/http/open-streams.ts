import type { Limits } from "../config/limits.ts";
import type { EndUser } from "../contract/end-user.ts";
import type { ServiceError } from "../contract/errors.ts";
import { limitError } from "../contract/limit-error.ts";
import type { Workspace } from "../contract/operation.ts";
import { OpenCounts } from "./open-counts.ts";

/** Limits the event streams of a process, and the requests that wait for events, by workspace and by user. */
export class OpenStreams {
  readonly #limits: Limits["streams"];
  readonly #ofWorkspaces = new OpenCounts();
  readonly #ofUsers = new OpenCounts();

  constructor(limits: Limits["streams"]) {
    this.#limits = limits;
  }

  /** Counts a stream. Returns the function that ends it. Throws RESOURCE_EXHAUSTED if there are too many. */
  enter(workspace: Pick<Workspace, "id">, user: EndUser | undefined): () => void {
    const { maxOfWorkspace, maxOfUser } = this.#limits;
    const leaveWorkspace = this.#ofWorkspaces.enter(workspace.id, maxOfWorkspace);
    if (!leaveWorkspace) throw tooMany("workspace", maxOfWorkspace);
    if (!user) return leaveWorkspace;
    const leaveUser = this.#ofUsers.enter(`${workspace.id} ${user.userId}`, maxOfUser);
    if (leaveUser) {
      return () => {
        leaveUser();
        leaveWorkspace();
      };
    }
    leaveWorkspace();
    throw tooMany("user", maxOfUser);
  }
}

function tooMany(whose: "workspace" | "user", max: number): ServiceError {
  const open = "event streams and waiting requests open at this process, the maximum";
  return limitError("event_streams", `The ${whose} has ${max} ${open}. Close some, or retry.`);
}
