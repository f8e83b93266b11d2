import type { Item, ResponseData } from "./call.ts";

export type Activity = Item<"/v2/activities/get">;
export type CommentAnnotation = NonNullable<Item<"/v2/commentannotations/get">>;
export type Comment = CommentAnnotation["comments"][number];
export type Deletion = Item<"/v2/users/data/deletions/get">;
export type Editor = Item<"/v2/crdt/get">;
export type Folder = Item<"/v2/organizations/folders/get">;
export type LoggedRequest = Item<"/v2/workspace/requests/get">;
export type MailDelivery = Item<"/v2/workspace/mails/get">;
export type Notification = Item<"/v2/notifications/get">;
/** An organization. Metadata fields are at the top level, beside the typed ones. */
export type Organization = Item<"/v2/organizations/get">;
export type OrganizationDocument = Item<"/v2/organizations/documents/get">;
export type Presence = Item<"/v2/presence/get">;
export type Recording = Item<"/v2/recordings/get">;
export type AuthToken = ResponseData<"/v2/workspace/authtokens/get">["authTokens"][number];
export type AuditEntry = Item<"/v2/workspace/audit/get">;
export type Session = Item<"/v2/workspace/sessions/get">;
/** A user's record in one organization. */
export type FoundUser = Item<"/v2/workspace/users/get">;
/** A page of a user's records by kind, at most 100 of each kind. */
export type RecordsByKind = ResponseData<"/v2/users/data/get">;
