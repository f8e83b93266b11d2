import { DEFAULT_COMMENT_NOTIFICATIONS } from "../src/contract/comment-notifications.ts";
import type { Workspace } from "../src/contract/operation.ts";

/** A workspace with the settings of a new one, for tests without a database. */
export const WORKSPACE: Workspace = {
  id: "workspace",
  apiKey: "key",
  activityServiceEnabled: true,
  activitiesImmutable: false,
  isContextEnabled: false,
  showUserEmails: false,
  requireJwtToken: false,
  requireAutoOrgUser: false,
  defaultDocumentAccessType: "public",
  emailTriggers: [],
  commentNotifications: DEFAULT_COMMENT_NOTIFICATIONS,
  eventLog: undefined,
};
