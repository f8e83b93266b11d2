import { type Client, createClient } from "../../packages/client/src/index.ts";
import type { Session } from "../../packages/client/src/stores/index.ts";
import { SCOPE } from "../factories.ts";
import type { TestWorkspace } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";

/** The path of event streams. */
export const STREAM = "/v2/events/stream";

/** A point at which responses of an operation wait. */
class Gate {
  readonly #opened = Promise.withResolvers<void>();
  readonly open = this.#opened.resolve;
  readonly opened = this.#opened.promise;
}

/** A page of a user, whose responses can be held back, replaced or lost. */
export async function openPage(address: string, workspace: TestWorkspace, userId = "ada") {
  const held = new Map<string, Gate>();
  const replaced = new Map<string, () => Response | Promise<Response>>();
  let connection = new AbortController();
  const client: Client<"page"> = createClient({
    url: address,
    getUserToken: () => tokenFor(workspace, page.userId),
    async fetch(input, init) {
      const { pathname } = new URL(String(input));
      const replacement = replaced.get(pathname);
      replaced.delete(pathname);
      if (replacement) return replacement();
      if (pathname === STREAM) {
        await held.get(STREAM)?.opened;
        connection = new AbortController();
        return fetch(input, { ...init, signal: AbortSignal.any([connection.signal, init?.signal ?? []].flat()) });
      }
      const response = await fetch(input, init);
      await held.get(pathname)?.opened;
      return response;
    },
  });
  const session: Session = { client, organizationId: SCOPE.organizationId, userId };
  /** Holds the responses of an operation back until the returned gate is opened. */
  function hold(path: string): Gate {
    const gate = new Gate();
    held.set(path, gate);
    if (path === STREAM) connection.abort(new TypeError("cut off"));
    return gate;
  }
  const page = { session, hold, replace: replaced.set.bind(replaced), userId };
  return page;
}
