import { getWorkspaceActivities } from "./features/activities/of-workspace/get.ts";
import { getAudit } from "./features/audit/get.ts";
import { getWorkspaceDocumentStatistics } from "./features/documents/of-workspace/get.ts";
import { getMailDeliveries } from "./features/mails/deliveries/get.ts";
import { getWorkspaceOrganizations } from "./features/organizations/of-workspace/get.ts";
import { getOutbox } from "./features/outbox/get.ts";
import { getOutboxMail } from "./features/outbox/mails-get.ts";
import { getOverview } from "./features/overview/get.ts";
import { getRequests } from "./features/request-log/get.ts";
import { getRequestStatistics } from "./features/request-log/statistics-get.ts";
import { searchWorkspace } from "./features/search/get.ts";
import { sendLoginLink } from "./features/sign-in/send-login-link.ts";
import { deleteSessions } from "./features/sign-in/sessions/delete.ts";
import { getSessions } from "./features/sign-in/sessions/get.ts";
import { getTokenIssuerConfig } from "./features/user-tokens/token-issuer-config/get.ts";
import { updateTokenIssuerConfig } from "./features/user-tokens/token-issuer-config/update.ts";
import { getWorkspaceUserStatistics } from "./features/users/of-workspace/get.ts";
import { getWorkspaceUsers } from "./features/users/workspace-users-get.ts";
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
import { getNotificationConfig } from "./features/workspaces/notification-config/get.ts";
import { updateNotificationConfig } from "./features/workspaces/notification-config/update.ts";
import { getRetention } from "./features/workspaces/retention-get.ts";

/** The operations that administer a workspace, sorted by path. */
export const workspaceOperations = [
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
  getTokenIssuerConfig,
  updateTokenIssuerConfig,
  getWorkspaceUserStatistics,
  getWorkspaceUsers,
  getWebhookConfig,
  updateWebhookConfig,
] as const;
