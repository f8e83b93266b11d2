import type { ApiOf, Operation } from "./contract/operation.ts";
import { getActionTypes } from "./features/activities/action-types/get.ts";
import { addActivities } from "./features/activities/add.ts";
import { deleteActivities } from "./features/activities/delete.ts";
import { getActivities } from "./features/activities/get.ts";
import { getWorkspaceActivities } from "./features/activities/of-workspace/get.ts";
import { updateActivities } from "./features/activities/update.ts";
import { getAudit } from "./features/audit/get.ts";
import { addCommentAnnotations } from "./features/comments/annotations/add.ts";
import { getCommentAnnotationCount } from "./features/comments/annotations/count-get.ts";
import { deleteCommentAnnotations } from "./features/comments/annotations/delete.ts";
import { getCommentAnnotations } from "./features/comments/annotations/get.ts";
import { readCommentAnnotations } from "./features/comments/annotations/read.ts";
import { updateCommentAnnotations } from "./features/comments/annotations/update.ts";
import { addComments } from "./features/comments/comments/add.ts";
import { deleteComments } from "./features/comments/comments/delete.ts";
import { getComments } from "./features/comments/comments/get.ts";
import { updateComments } from "./features/comments/comments/update.ts";
import { addReaction } from "./features/comments/reactions/add.ts";
import { deleteReaction } from "./features/comments/reactions/delete.ts";
import { addCrdt } from "./features/crdt/add.ts";
import { deleteCrdt } from "./features/crdt/delete.ts";
import { getCrdt } from "./features/crdt/get.ts";
import { updateCrdt } from "./features/crdt/update.ts";
import { addCrdtVersion } from "./features/crdt/versions/add.ts";
import { deleteCrdtVersions } from "./features/crdt/versions/delete.ts";
import { getCrdtVersion } from "./features/crdt/versions/get.ts";
import { listCrdtVersions } from "./features/crdt/versions/list.ts";
import { restoreCrdtVersion } from "./features/crdt/versions/restore.ts";
import { updateDocumentDisableState } from "./features/documents/access-disablestate-update.ts";
import { updateDocumentAccess } from "./features/documents/access-update.ts";
import { addDocuments } from "./features/documents/add.ts";
import { getDocumentCount } from "./features/documents/count-get.ts";
import { deleteDocuments } from "./features/documents/delete.ts";
import { updateFolderAccess } from "./features/documents/folders/access-update.ts";
import { addFolders } from "./features/documents/folders/add.ts";
import { deleteFolder } from "./features/documents/folders/delete.ts";
import { getFolders } from "./features/documents/folders/get.ts";
import { updateFolders } from "./features/documents/folders/update.ts";
import { getDocuments } from "./features/documents/get.ts";
import { migrateDocument } from "./features/documents/migrate.ts";
import { getDocumentMigrationStatus } from "./features/documents/migrate-status.ts";
import { moveDocuments } from "./features/documents/move.ts";
import { getWorkspaceDocumentStatistics } from "./features/documents/of-workspace/get.ts";
import { getDocumentStatistics } from "./features/documents/statistics/get.ts";
import { updateDocuments } from "./features/documents/update.ts";
import { getEvents } from "./features/events/get.ts";
import { explainNotifications } from "./features/explanations/explain.ts";
import { broadcastLiveState } from "./features/live-state/broadcast.ts";
import { getLiveStates } from "./features/live-state/get.ts";
import { deleteLocationData } from "./features/locations/data-delete.ts";
import { updateLocation } from "./features/locations/update.ts";
import { getMailDeliveries } from "./features/mails/deliveries/get.ts";
import { addNotification } from "./features/notifications/add.ts";
import { getDocumentNotificationConfigs } from "./features/notifications/config/documents-get.ts";
import { getNotificationConfigs } from "./features/notifications/config/get.ts";
import { setNotificationConfigs } from "./features/notifications/config/set.ts";
import { getNotificationCount } from "./features/notifications/count-get.ts";
import { deleteNotifications } from "./features/notifications/delete.ts";
import { getNotifications } from "./features/notifications/get.ts";
import { getOrganizationNotifications } from "./features/notifications/of-organization/get.ts";
import { readNotifications } from "./features/notifications/read.ts";
import { updateNotifications } from "./features/notifications/update.ts";
import { getNotificationsV1 } from "./features/notifications/v1-notifications-get.ts";
import { updateDisableState } from "./features/organizations/access-disablestate-update.ts";
import { addOrganizations } from "./features/organizations/add.ts";
import { deleteOrganizations } from "./features/organizations/delete.ts";
import { getOrganizations } from "./features/organizations/get.ts";
import { getWorkspaceOrganizations } from "./features/organizations/of-workspace/get.ts";
import { updateOrganizations } from "./features/organizations/update.ts";
import { getOutbox } from "./features/outbox/get.ts";
import { getOutboxMail } from "./features/outbox/mails-get.ts";
import { getOverview } from "./features/overview/get.ts";
import { addPermissions } from "./features/permissions/add.ts";
import { explainPermissions } from "./features/permissions/explain.ts";
import { getPermissions } from "./features/permissions/get.ts";
import { removePermissions } from "./features/permissions/remove.ts";
import { addPresence } from "./features/presence/add.ts";
import { deletePresence } from "./features/presence/delete.ts";
import { getPresence } from "./features/presence/get.ts";
import { getOrganizationPresence } from "./features/presence/of-organization/get.ts";
import { addRecordings } from "./features/recordings/add.ts";
import { deleteRecordings } from "./features/recordings/delete.ts";
import { getRecordings } from "./features/recordings/get.ts";
import { updateRecordings } from "./features/recordings/update.ts";
import { getRequests } from "./features/request-log/get.ts";
import { getRequestStatistics } from "./features/request-log/statistics-get.ts";
import { searchWorkspace } from "./features/search/get.ts";
import { sendLoginLink } from "./features/sign-in/send-login-link.ts";
import { deleteSessions } from "./features/sign-in/sessions/delete.ts";
import { getSessions } from "./features/sign-in/sessions/get.ts";
import { deleteUserData } from "./features/user-data/delete.ts";
import { getUserDataDeletionStatus } from "./features/user-data/delete-status.ts";
import { getUserData } from "./features/user-data/get.ts";
import { getUserDataOrganizations } from "./features/user-data/organizations-get.ts";
import { getDeletions } from "./features/user-data/receipts/deletions-get.ts";
import { getDeletionReceipt } from "./features/user-data/receipts/receipt-get.ts";
import { addGroups } from "./features/user-groups/add.ts";
import { getGroups } from "./features/user-groups/get.ts";
import { addGroupUsers } from "./features/user-groups/users-add.ts";
import { deleteGroupUsers } from "./features/user-groups/users-delete.ts";
import { generateUserToken } from "./features/user-tokens/generate_token.ts";
import { getUserToken } from "./features/user-tokens/token-get.ts";
import { revokeTokens } from "./features/user-tokens/tokens-revoke.ts";
import { addUsers } from "./features/users/add.ts";
import { getUserCount } from "./features/users/count-get.ts";
import { deleteUsers } from "./features/users/delete.ts";
import { getUserDocuments } from "./features/users/documents-get.ts";
import { getUsers } from "./features/users/get.ts";
import { getWorkspaceUserStatistics } from "./features/users/of-workspace/get.ts";
import { getUserStatistics } from "./features/users/statistics/get.ts";
import { updateUsers } from "./features/users/update.ts";
import { getWorkspaceUsers } from "./features/users/workspace-users-get.ts";
import { readVersion } from "./features/version/version.ts";
import { getAdvancedWebhookConfig } from "./features/webhooks/config/advancedwebhookconfig-get.ts";
import { updateAdvancedWebhookConfig } from "./features/webhooks/config/advancedwebhookconfig-update.ts";
import { getWebhookConfig } from "./features/webhooks/config/webhookconfig-get.ts";
import { updateWebhookConfig } from "./features/webhooks/config/webhookconfig-update.ts";
import { getWebhookDeliveryFigures } from "./features/webhooks/deliveries/figures-get.ts";
import { getWebhookDeliveries } from "./features/webhooks/deliveries/get.ts";
import { getWebhookDeliveryPayload } from "./features/webhooks/deliveries/payload-get.ts";
import { recoverWebhookDeliveries } from "./features/webhooks/deliveries/recover.ts";
import { retryWebhookDelivery } from "./features/webhooks/deliveries/retry.ts";
import { createWebhookEndpoint } from "./features/webhooks/endpoints/create.ts";
import { deleteWebhookEndpoint } from "./features/webhooks/endpoints/delete.ts";
import { getWebhookEndpoints } from "./features/webhooks/endpoints/get.ts";
import { getWebhookSecret } from "./features/webhooks/endpoints/secret-get.ts";
import { rotateWebhookSecret } from "./features/webhooks/endpoints/secret-rotate.ts";
import { testWebhookEndpoint } from "./features/webhooks/endpoints/test.ts";
import { updateWebhookEndpoint } from "./features/webhooks/endpoints/update.ts";
import { getActivityConfig } from "./features/workspaces/activity-config/get.ts";
import { updateActivityConfig } from "./features/workspaces/activity-config/update.ts";
import { getApiKeyConfig } from "./features/workspaces/api-key-config/get.ts";
import { updateApiKeyConfig } from "./features/workspaces/api-key-config/update.ts";
import { addAuthToken } from "./features/workspaces/auth-tokens/add.ts";
import { deleteAuthTokens } from "./features/workspaces/auth-tokens/delete.ts";
import { getAuthTokens } from "./features/workspaces/auth-tokens/get.ts";
import { resetAuthToken } from "./features/workspaces/auth-tokens/reset.ts";
import { addDomains } from "./features/workspaces/domains/add.ts";
import { deleteDomains } from "./features/workspaces/domains/delete.ts";
import { getDomains } from "./features/workspaces/domains/get.ts";
import { getEmailConfig } from "./features/workspaces/email-config/get.ts";
import { sendTestMail } from "./features/workspaces/email-config/send-test-mail.ts";
import { updateEmailConfig } from "./features/workspaces/email-config/update.ts";
import { getWorkspaces } from "./features/workspaces/get.ts";
import { getNotificationConfig } from "./features/workspaces/notification-config/get.ts";
import { updateNotificationConfig } from "./features/workspaces/notification-config/update.ts";
import { getRetention } from "./features/workspaces/retention-get.ts";

/** Every operation with its types, sorted by path. */
const listed = [
  getUserToken,
  getNotificationsV1,
  updateNotifications,
  deleteLocationData,
  updateLocation,
  deleteUserData,
  getUserDataDeletionStatus,
  getUserData,
  getActionTypes,
  addActivities,
  deleteActivities,
  getActivities,
  updateActivities,
  generateUserToken,
  addPermissions,
  explainPermissions,
  getPermissions,
  removePermissions,
  revokeTokens,
  addCommentAnnotations,
  addComments,
  deleteComments,
  getComments,
  updateComments,
  getCommentAnnotationCount,
  deleteCommentAnnotations,
  getCommentAnnotations,
  readCommentAnnotations,
  updateCommentAnnotations,
  addCrdt,
  deleteCrdt,
  getCrdt,
  updateCrdt,
  addCrdtVersion,
  deleteCrdtVersions,
  getCrdtVersion,
  listCrdtVersions,
  restoreCrdtVersion,
  getEvents,
  broadcastLiveState,
  getLiveStates,
  addNotification,
  getDocumentNotificationConfigs,
  getNotificationConfigs,
  setNotificationConfigs,
  getNotificationCount,
  deleteNotifications,
  explainNotifications,
  getNotifications,
  readNotifications,
  updateDisableState,
  addOrganizations,
  deleteOrganizations,
  updateDocumentDisableState,
  updateDocumentAccess,
  addDocuments,
  getDocumentCount,
  deleteDocuments,
  getDocumentStatistics,
  getDocuments,
  migrateDocument,
  getDocumentMigrationStatus,
  moveDocuments,
  updateDocuments,
  updateFolderAccess,
  addFolders,
  deleteFolder,
  getFolders,
  updateFolders,
  getOrganizations,
  getOrganizationNotifications,
  getOrganizationPresence,
  updateOrganizations,
  addGroups,
  getGroups,
  addGroupUsers,
  deleteGroupUsers,
  addPresence,
  deletePresence,
  getPresence,
  addReaction,
  deleteReaction,
  addRecordings,
  deleteRecordings,
  getRecordings,
  updateRecordings,
  addUsers,
  getUserCount,
  getDeletions,
  getDeletionReceipt,
  getUserDataOrganizations,
  deleteUsers,
  getUserDocuments,
  getUserStatistics,
  getUsers,
  updateUsers,
  readVersion,
  getWorkspaceActivities,
  getActivityConfig,
  updateActivityConfig,
  getWebhookDeliveryFigures,
  getWebhookDeliveries,
  getWebhookDeliveryPayload,
  recoverWebhookDeliveries,
  retryWebhookDelivery,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoints,
  getWebhookSecret,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  getAdvancedWebhookConfig,
  updateAdvancedWebhookConfig,
  getApiKeyConfig,
  updateApiKeyConfig,
  getAudit,
  resetAuthToken,
  addAuthToken,
  deleteAuthTokens,
  getAuthTokens,
  getWorkspaceDocumentStatistics,
  addDomains,
  deleteDomains,
  getDomains,
  sendLoginLink,
  sendTestMail,
  getEmailConfig,
  updateEmailConfig,
  getMailDeliveries,
  getNotificationConfig,
  updateNotificationConfig,
  getWorkspaceOrganizations,
  getOutbox,
  getOutboxMail,
  getOverview,
  getRequests,
  getRequestStatistics,
  getRetention,
  searchWorkspace,
  deleteSessions,
  getSessions,
  getWorkspaceUserStatistics,
  getWorkspaceUsers,
  getWebhookConfig,
  updateWebhookConfig,
  getWorkspaces,
] as const;

/** The types of `data` in every request and response, by path. */
export type Api = ApiOf<typeof listed>;

/** The same list without the types of each operation, as the engine needs it. */
export const operations: readonly Operation[] = listed;
