import type { Static } from "typebox";
import type { Activity as ActivitySchema } from "../../../features/activities/activity.ts";
import type { CommentAnnotation as Annotation } from "../../../features/comments/annotations/annotation.ts";
import type { Editor as EditorSchema } from "../../../features/crdt/editor.ts";
import type { Document as DocumentSchema } from "../../../features/documents/document.ts";
import type { Notification as NotificationSchema } from "../../../features/notifications/notification.ts";
import type { Organization as OrganizationSchema } from "../../../features/organizations/organization.ts";
import type { Presence as PresenceSchema } from "../../../features/presence/presence.ts";
import type { Recording as RecordingSchema } from "../../../features/recordings/recording.ts";
import type { UserGroup as UserGroupSchema } from "../../../features/user-groups/user-group.ts";
import type { UserRecord as UserRecordSchema } from "../../../features/users/user.ts";

export type CommentAnnotation = Static<typeof Annotation>;
export type Activity = Static<typeof ActivitySchema>;
/** An organization. Metadata fields are at the top level, beside the typed ones. */
export type Organization = Static<typeof OrganizationSchema>;
export type OrganizationDocument = Static<typeof DocumentSchema>;
export type UserGroup = Static<typeof UserGroupSchema>;
export type UserRecord = Static<typeof UserRecordSchema>;
export type Notification = Static<typeof NotificationSchema>;
export type Recording = Static<typeof RecordingSchema>;
export type Editor = Static<typeof EditorSchema>;
export type Presence = Static<typeof PresenceSchema>;
