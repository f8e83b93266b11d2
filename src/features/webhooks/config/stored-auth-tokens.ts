import type { StoredSecretKind } from "../../../contract/stored-secret.ts";
import { authTokenBinding } from "./webhook-config.ts";
import { replaceAuthToken, selectAuthTokens } from "./webhook-config-queries.ts";

/** The auth tokens of basic webhooks. */
export const webhookAuthTokens: StoredSecretKind = {
  select: selectAuthTokens,
  boundTo: ({ workspaceId }) => authTokenBinding(workspaceId),
  replace: (transaction, { workspaceId, encrypted: before }, after) =>
    replaceAuthToken(transaction, workspaceId, { before, after }),
};
