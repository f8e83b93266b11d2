import type { ApiOf } from "./contract/api.ts";
import type { Operation } from "./contract/operation.ts";
import { getActionTypes } from "./features/activities/action-types/get.ts";
import { addActivities } from "./features/activities/add.ts";
import { deleteActivities } from "./features/activities/delete.ts";
import { getActivities } from "./features/activities/get.ts";
import { updateActivities } from "./features/activities/update.ts";
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
import { getCrdtSchema } from "./features/crdt/schema/get.ts";
import { updateCrdtSchema } from "./features/crdt/schema/update.ts";
import { updateCrdt } from "./features/crdt/update.ts";
import { addCrdtVersion } from "./features/crdt/versions/add.ts";
import { compareCrdtVersions } from "./features/crdt/versions/compare.ts";
import { deleteCrdtVersions } from "./features/crdt/versions/delete.ts";
import { getCrdtVersion } from "./features/crdt/versions/get.ts";
import { listCrdtVersions } from "./features/crdt/versions/list.ts";
import { restoreCrdtVersion } from "./features/crdt/versions/restore.ts";
import { updateCrdtVersion } from "./features/crdt/versions/update.ts";
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
import { getDocumentStatistics } from "./features/documents/statistics/get.ts";
import { updateDocuments } from "./features/documents/update.ts";
import { getEvents } from "./features/events/get.ts";
import { explainNotifications } from "./features/explanations/explain.ts";
import { addFile } from "./features/files/add.ts";
import { broadcastLiveState } from "./features/live-state/broadcast.ts";
import { getLiveStates } from "./features/live-state/get.ts";
import { deleteLocationData } from "./features/locations/data-delete.ts";
import { updateLocation } from "./features/locations/update.ts";
import { addNotification } from "./features/notifications/add.ts";
import { archiveNotifications } from "./features/notifications/archive.ts";
import { getDocumentNotificationConfigs } from "./features/notifications/config/documents-get.ts";
import { getNotificationConfigs } from "./features/notifications/config/get.ts";
import { setNotificationConfigs } from "./features/notifications/config/set.ts";
import { getNotificationCount } from "./features/notifications/count-get.ts";
import { deleteNotifications } from "./features/notifications/delete.ts";
import { getNotifications } from "./features/notifications/get.ts";
import { getOrganizationNotifications } from "./features/notifications/of-organization/get.ts";
import { readNotifications } from "./features/notifications/read.ts";
import { restoreNotifications } from "./features/notifications/restore.ts";
import { updateNotifications } from "./features/notifications/update.ts";
import { getNotificationsV1 } from "./features/notifications/v1-notifications-get.ts";
import { updateDisableState } from "./features/organizations/access-disablestate-update.ts";
import { addOrganizations } from "./features/organizations/add.ts";
import { deleteOrganizations } from "./features/organizations/delete.ts";
import { getOrganizations } from "./features/organizations/get.ts";
import { updateOrganizations } from "./features/organizations/update.ts";
import { addPermissions } from "./features/permissions/add.ts";
import { explainPermissions } from "./features/permissions/explain.ts";
import { getPermissions } from "./features/permissions/get.ts";
import { removePermissions } from "./features/permissions/remove.ts";
import { addPresence } from "./features/presence/add.ts";
import { broadcastPresence } from "./features/presence/broadcast.ts";
import { deletePresence } from "./features/presence/delete.ts";
import { getPresence } from "./features/presence/get.ts";
import { getOrganizationPresence } from "./features/presence/of-organization/get.ts";
import { addRecordings } from "./features/recordings/add.ts";
import { deleteRecordings } from "./features/recordings/delete.ts";
import { getRecordings } from "./features/recordings/get.ts";
import { updateRecordings } from "./features/recordings/update.ts";
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
import { getUserStatistics } from "./features/users/statistics/get.ts";
import { updateUsers } from "./features/users/update.ts";
import { readVersion } from "./features/version/version.ts";
import { getWorkspaces } from "./features/workspaces/get.ts";
import { workspaceOperations } from "./workspace-operations.ts";

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
  getCrdtSchema,
  updateCrdtSchema,
  updateCrdt,
  addCrdtVersion,
  compareCrdtVersions,
  deleteCrdtVersions,
  getCrdtVersion,
  listCrdtVersions,
  restoreCrdtVersion,
  updateCrdtVersion,
  getEvents,
  addFile,
  broadcastLiveState,
  getLiveStates,
  addNotification,
  archiveNotifications,
  getDocumentNotificationConfigs,
  getNotificationConfigs,
  setNotificationConfigs,
  getNotificationCount,
  deleteNotifications,
  explainNotifications,
  getNotifications,
  readNotifications,
  restoreNotifications,
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
  broadcastPresence,
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
  ...workspaceOperations,
  getWorkspaces,
] as const;

/** The types of `data` in every request and response, by path. */
export type Api = ApiOf<typeof listed>;

/** The same list without the types of each operation, as the engine needs it. */
export const operations: readonly Operation[] = listed;
