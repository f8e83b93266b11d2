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
import { type Client, createClient, splitRequest } from "../packages/client/src/index.ts";
import type { ErrorStatus } from "../src/contract/error-catalogue.ts";
import type { ErrorDetails, Reason } from "../src/contract/errors.ts";
import type { Api } from "../src/operations.ts";

type Both<First, Second> = [First, Second] extends [Second, First] ? true : false;
/** Paths with a type that no JSON schema has: the fields of any object, and folders that contain folders. */
type Inexpressible = `/v${1 | 2}/${"livestate/broadcast" | "organizations/folders/get"}`;
/** Paths whose request or response in the client is none of the contract. */
type Different = {
  [Path in keyof Api]: ClientApi[Path] extends Api[Path] ? never : Path;
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

const UPDATE = "/v2/commentannotations/update";

export async function callsOfPage(): Promise<void> {
  const page = createClient({ url: "", getUserToken: () => "" });
  const here = { organizationId: "acme", documentId: "contract-7" };
  await page.call("/v2/notifications/archive", { organizationId: "acme" });
  await page.call("/v2/notifications/archive", { organizationId: "acme", userId: "ada" });
  // @ts-expect-error IDs are texts.
  await page.call("/v2/notifications/archive", { organizationId: "acme", userId: 7 });
  await page.call("/v2/presence/add", here);
  const comment = { commentText: "Too long", taggedUserContacts: [{ text: "@Grace", userId: "grace" }] };
  const threads = [{ assignedTo: { userId: "grace" }, targetElement: { elementId: "clause-3" }, comments: [comment] }];
  await page.call("/v2/commentannotations/add", { ...here, commentAnnotations: threads });
  splitRequest("/v2/commentannotations/add", { ...here, commentAnnotations: threads }, "commentAnnotations");
  // @ts-expect-error A target has an ID of an element.
  await page.call("/v2/commentannotations/add", { ...here, commentAnnotations: [{ targetElement: { elementId: 3 } }] });
  // @ts-expect-error Only backends date threads.
  await page.call("/v2/commentannotations/add", { ...here, commentAnnotations: [{ createdAt: 0 }] });
  // @ts-expect-error Users name others by ID alone.
  await page.call(UPDATE, { ...here, updatedData: { assignedTo: { userId: "grace", name: "Grace" } } });
  await page.call(UPDATE, { ...here, updatedData: { assignedTo: { userId: "grace" } } });
  // @ts-expect-error Only backends import comments.
  await page.call("/v2/commentannotations/comments/add", { ...here, annotationId: "t", comments: [{ createdAt: 0 }] });
  const user = { userId: "grace" };
  const resource = { type: "document", id: "contract-7" } as const;
  // @ts-expect-error Users must name the organization of a resource.
  await page.call("/v2/auth/permissions/add", { user, permissions: { resources: [resource] } });
  const resources = [{ ...resource, organizationId: "acme" }];
  await page.call("/v2/auth/permissions/add", { user, permissions: { resources } });
  // @ts-expect-error Users may not call it.
  await page.call("/v2/users/add", { organizationId: "acme", users: [] });
  // @ts-expect-error Users may not call it.
  page.list("/v2/organizations/notifications/get", { organizationId: "acme" });
  const backend: Client = createClient({ url: "", apiKey: "", authToken: "" });
  await backend.call("/v2/users/add", { organizationId: "acme", users: [] });
  await backend.call(UPDATE, { ...here, updatedData: { assignedTo: { userId: "grace", name: "Grace" } } });
  // @ts-expect-error A backend must name the user.
  await backend.call("/v2/notifications/archive", { organizationId: "acme" });
  // @ts-expect-error A backend must name the author.
  await backend.call("/v2/commentannotations/add", { ...here, commentAnnotations: [{ comments: [comment] }] });
}

export function usualFields({ notificationSourceData: data }: Notification, { attachments }: Comment): string[] {
  // @ts-expect-error IDs of comments are numbers.
  data?.commentId?.trim();
  const annotationIds = data?.activities?.map(({ annotationId = "" }) => annotationId) ?? [data?.annotationId ?? ""];
  return [...annotationIds, ...attachments.map(({ url = "" }) => url)];
}
