import { type Stage, write } from "./write.ts";

/** Settings of the workspace. Each call changes something, and the last one turns everything on. */
export const SETTINGS: Stage = {
  isOfWorkspace: true,
  writes: [
    write("/v2/workspace/activityconfig/update", (_tenant, index) => ({
      activityServiceConfig: { triggers: { comment: { added: index % 2 === 1 } } },
    })),
    write("/v2/workspace/apikeyconfig/update", (_tenant, index) => ({ requireAutoOrgUser: index % 2 === 1 })),
    write("/v2/workspace/advancedwebhookconfig/update", (_tenant, index) => ({
      isEnabled: true,
      enableDataProtection: index % 2 === 0,
    })),
    write("/v2/workspace/webhookconfig/update", ({ space: { receiver } }, index) => ({
      useWebhookService: true,
      webhookServiceConfig: {
        rawNotificationUrl: `${receiver.url}/raw/${index}`,
        processedNotificationUrl: `${receiver.url}/processed/${index}`,
        triggers: { recorder: { done: index % 2 === 1 } },
      },
    })),
    write("/v2/workspace/emailconfig/update", ({ space: { name } }, index) => ({
      useEmailService: true,
      emailServiceConfig: {
        fromEmail: `notices-${index}@${name}.example`,
        triggers: {
          "comment_annotation.add": true,
          "comment.add": true,
          "comment_annotation.assign": true,
          "comment_annotation.status_change": index % 2 === 1,
        },
      },
    })),
    write("/v2/workspace/tokenissuerconfig/update", ({ space: { name } }, index) => ({
      issuer: `https://${name}.example/${index}`,
      claims: { organizations: `org-${index}` },
      roles: { [name]: index % 2 === 0 ? "viewer" : "commenter" },
    })),
    write("/v2/workspace/notificationconfig/update", (_tenant, index) => ({
      notificationServiceConfig: {
        triggers: { comment: { updated: index % 2 === 1 } },
        delayConfig: { isEnabled: false, delaySeconds: 600 + index },
      },
    })),
  ],
};

/** Mails that a workspace sends one after the other. */
export const MAILS: Stage = {
  isOfWorkspace: true,
  writes: [
    write("/v2/workspace/email/send-login-link", ({ space: { name } }, index) => ({
      email: index % 2 === 0 ? `owner@${name}.example` : `nobody@${name}.example`,
      continueUrl: `https://${name}.example/`,
    })),
    write("/v2/workspace/email/send-test-mail", (tenant, index) => ({ email: tenant.email(`tester-${index}`) })),
  ],
};

/** What a workspace has several of. */
export const ADDITIONS: Stage = {
  writes: [
    write("/v2/workspace/domains/add", ({ space, organizationId }, index) => ({
      domains: [
        `kept-${index}.${organizationId}.${space.name}.example`,
        `spare-${index}.${organizationId}.${space.name}.example`,
      ],
    })),
    write("/v2/workspace/authtokens/add", (tenant, index) => ({ name: tenant.text("token", index) })),
    write("/v2/workspace/advancedwebhook/endpoints/create", (tenant, index) => ({
      url: `${tenant.space.receiver.url}/${tenant.organizationId}/${index}`,
      uid: `${tenant.organizationId}-${index}`,
      description: tenant.text("endpoint", index),
      filterTypes: ["comment.reaction_add"],
    })),
  ],
};

const ENDPOINTS = "/v2/workspace/advancedwebhook/endpoints";

export const CHANGED_ENDPOINTS: Stage = {
  writes: [
    write(`${ENDPOINTS}/update`, (tenant, index) => ({
      endpointId: tenant.response(`${ENDPOINTS}/create`, index).id,
      description: tenant.text("changed endpoint", index),
    })),
    write(`${ENDPOINTS}/secret/rotate`, (tenant, index) => ({
      endpointId: tenant.response(`${ENDPOINTS}/create`, index).id,
    })),
    write(`${ENDPOINTS}/test`, (tenant, index) => ({
      endpointId: tenant.response(`${ENDPOINTS}/create`, index).id,
    })),
  ],
};

/** Returns a stage that holds notifications of comments back, or no longer does. */
export function delayingNotifications(isEnabled: boolean): Stage {
  return {
    isOfWorkspace: true,
    writes: [
      write("/v2/workspace/notificationconfig/update", (_tenant, index) => ({
        notificationServiceConfig: { delayConfig: { isEnabled, delaySeconds: 600 + index } },
      })),
    ],
  };
}
