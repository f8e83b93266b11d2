/**
 * Type tests, checked by `npm run check` and never run: the generated types of the client package are those of the
 * contracts. If they differ, a line below does not compile.
 */

import type { ErrorDetails as ClientDetails } from "../packages/client/src/errors.ts";
import type {
  ChangeEvent,
  Api as ClientApi,
  Reason as ClientReason,
  ErrorStatus as ClientStatus,
  Comment,
  EventOf,
  Item,
  Notification,
} from "../packages/client/src/index.ts";
import { type Client, createClient } from "../packages/client/src/index.ts";
import type { ErrorDetails, ErrorStatus, Reason } from "../src/contract/errors.ts";
import type { Api } from "../src/operations.ts";

type Both<First, Second> = [First, Second] extends [Second, First] ? true : false;
/** Paths with a type that no JSON schema has: the fields of any object, and folders that contain folders. */
type Inexpressible = `/v${1 | 2}/${"livestate/broadcast" | "organizations/folders/get"}`;
/** Paths whose requests may lack what a user token fills in, which the contract requires. */
type FilledIn =
  | `/v${1 | 2}/commentannotations/${"add" | "comments/add" | "count/get" | "read"}`
  | `/v${1 | 2}/reactions/${"add" | "delete"}`
  | `/v${1 | 2}/notifications/${"archive" | "read" | "restore" | "count/get"}`
  | `/v${1 | 2}/notifications/config/${"documents/get" | "get" | "set"}`
  | `/v${1 | 2}/presence/${"add" | "update" | "broadcast" | "delete"}`;
/** What must be equal: everything, or only the responses. */
type Compared<Types extends { response: unknown }, Path> = Path extends FilledIn ? Types["response"] : Types;
/** Paths whose request or response in the client is none of the contract. */
type Different = {
  [Path in keyof Api]: Compared<ClientApi[Path], Path> extends Compared<Api[Path], Path> ? never : Path;
}[Exclude<keyof Api, Inexpressible>];

export function sameTypes(path: Different): never {
  return path;
}

export const SAME: [
  Both<keyof Api, keyof ClientApi>,
  Both<ErrorStatus, ClientStatus>,
  Both<Reason, ClientReason>,
  Both<ErrorDetails, ClientDetails>,
] = [true, true, true, true];

/** The record of an event has the type of the records of its list. */
export const RECORDS: [
  Both<EventOf<"activity.add">["record"], Item<"/v2/activities/get">>,
  Both<EventOf<"comment.add">["record"], Comment>,
  Both<EventOf<"notification.add">["record"], Item<"/v2/notifications/get">>,
  Both<EventOf<"presence.update">["record"], Item<"/v2/presence/get">>,
] = [true, true, true, true];

export function recordsByKind(event: ChangeEvent): Notification | undefined {
  if (event.event === "activity.add") event.record.actionType.trim();
  // @ts-expect-error An activity has no such field.
  if (event.event === "activity.add") event.record.commentText;
  // @ts-expect-error A deletion has no record.
  if (event.event === "activity.delete") event.record.id;
  // @ts-expect-error An event of many notifications has no record.
  if (event.event === "notification.update") event.record.id;
  return event.event === "notification.update" ? event.record : undefined;
}

export async function unmatchedCalls(client: Client): Promise<void> {
  for await (const activity of client.list("/v2/activities/get", { organizationId: "acme" })) {
    const item: Item<"/v2/activities/get"> = activity;
    // @ts-expect-error An activity has no such field.
    item.time;
  }
  // @ts-expect-error The request has no such field.
  await client.call("/v2/activities/get", { organizationId: "acme", size: 1 });
  // @ts-expect-error The response has no pages.
  client.pages("/v2/events/get", { organizationId: "acme" });
  // @ts-expect-error A client has either kind of credentials.
  createClient({ url: "", apiKey: "", authToken: "", getUserToken: () => "" });
}

export async function callsOfPage(): Promise<void> {
  const page = createClient({ url: "", getUserToken: () => "" });
  await page.call("/v2/notifications/archive", { organizationId: "acme" });
  // @ts-expect-error Users may not call it.
  await page.call("/v2/users/add", { organizationId: "acme", users: [] });
  // @ts-expect-error Users may not call it.
  page.list("/v2/organizations/notifications/get", { organizationId: "acme" });
  const backend: Client = createClient({ url: "", apiKey: "", authToken: "" });
  await backend.call("/v2/users/add", { organizationId: "acme", users: [] });
}
