import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Data about the people who run a workspace, who are not its users: nothing is deleted with a user. */
export const workspaceData: UserDataKind = {
  kind: "workspaces",
  columns: {},
  kept: {
    "workspaces.name": "Names a workspace. The operator chooses it.",
    "workspaces.owner_email": "Belongs to the owner of the workspace, who is not a user of it.",
    "auth_tokens.name": "Names a token. The owner of the workspace chooses it.",
    "revoked_auth_tokens.name": "Names a token. The owner of the workspace chooses it.",
    "login_links.owner_address": "Belongs to the owner. It is deleted with the link after 15 minutes.",
    "login_links.continue_url": "Is sent with the request for the link and deleted with the link.",
    "sessions.owner_address": "Belongs to the owner. It is deleted with the session after a week.",
    "sessions.user_agent": "Describes the owner's browser. It is deleted with the session.",
    "audit_entries.record":
      "Names auth tokens, owners and moderators who acted, and the addresses of their clients. The deletion of users " +
      "removes their IDs. It is deleted after AUDIT_RETENTION_DAYS.",
    "audit_entries.actor_name": "Names who acted, as the entry does, and is removed or deleted with it.",
    "workspaces.activity_triggers": "Contains switches by the names that the owner of the workspace has set.",
    "request_log.requests":
      "Has the addresses of backends and pages. The deletion of users removes them from what it quotes of requests.",
    "workspaces.token_issuer_config":
      "Contains an issuer, the address of its keys and names of claims that the owner of the workspace has set.",
    "email_configs.settings": "Contains the sender that the owner of the workspace has set.",
    "webhook_configs.basic": "Contains the URLs that the owner of the workspace has set.",
    "webhook_endpoints.uid": "Names an endpoint. The owner of the workspace chooses it.",
    "webhook_endpoints.settings":
      "Contains the URL, the filters and the texts that the owner of the workspace has set.",
    "webhook_configs.advanced": "Contains switches and a public key that the owner of the workspace has set.",
  },
  steps: [],
};
