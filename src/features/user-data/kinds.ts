import { activityData } from "../activities/user-data.ts";
import { delayedNotificationData } from "../comments/delayed/user-data.ts";
import { annotationData, commentData, commentReadData, reactionData } from "../comments/user-data/user-data.ts";
import { crdtData } from "../crdt/user-data.ts";
import { folderData } from "../documents/folders/user-data.ts";
import { documentData } from "../documents/user-data.ts";
import { eventData } from "../event-log/user-data.ts";
import { fileData } from "../files/user-data.ts";
import { idempotencyData } from "../idempotency/user-data.ts";
import { liveStateData } from "../live-state/user-data.ts";
import { mailDeliveryData } from "../mails/deliveries/user-data.ts";
import { mailData } from "../mails/user-data.ts";
import { notificationConfigData } from "../notifications/config/user-data.ts";
import { notificationData, receivedNotificationData } from "../notifications/user-data.ts";
import { organizationData } from "../organizations/user-data.ts";
import { permissionData } from "../permissions/user-data.ts";
import { presenceData } from "../presence/user-data.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";
import { recordingData } from "../recordings/user-data.ts";
import { userGroupData } from "../user-groups/user-data.ts";
import { userTokenData } from "../user-tokens/user-data.ts";
import { userRecordData } from "../users/user-data.ts";
import { webhookMessageData } from "../webhooks/delivery/user-data.ts";
import { workspaceData } from "../workspaces/user-data.ts";
import { deletionData } from "./own-data.ts";

/** All kinds of data in the order of deletion. Access and groups come first, so that users receive nothing new. */
export const DECLARED_KINDS: readonly UserDataKind[] = [
  userGroupData,
  permissionData,
  userRecordData,
  presenceData,
  notificationConfigData,
  eventData,
  webhookMessageData,
  delayedNotificationData,
  receivedNotificationData,
  notificationData,
  mailData,
  mailDeliveryData,
  annotationData,
  commentData,
  reactionData,
  commentReadData,
  activityData,
  recordingData,
  fileData,
  documentData,
  folderData,
  organizationData,
  liveStateData,
  crdtData,
  workspaceData,
  idempotencyData,
  userTokenData,
  deletionData,
];

/** The kinds that have something to purge or to export. */
export const PURGED_OR_EXPORTED_KINDS: readonly UserDataKind[] = DECLARED_KINDS.filter(
  ({ steps, selectPage }) => steps.length > 0 || selectPage,
);

/** Names of the kinds that a deletion purges. */
export const PURGED_KINDS: readonly string[] = DECLARED_KINDS.filter(({ steps }) => steps.length > 0).map(
  ({ kind }) => kind,
);
