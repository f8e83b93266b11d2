import type { StoredSecretKind } from "../../../contract/stored-secret.ts";
import { getProviderKey } from "./email-config.ts";
import { replaceProviderKey, selectProviderKeys } from "./email-config-queries.ts";

/** The API keys of mail providers. */
export const providerKeys: StoredSecretKind = {
  select: selectProviderKeys,
  boundTo: ({ workspaceId }) => getProviderKey(workspaceId),
  replace: (transaction, { workspaceId, encrypted: before }, after) =>
    replaceProviderKey(transaction, workspaceId, { before, after }),
};
