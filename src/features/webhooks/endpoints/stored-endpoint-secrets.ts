import type { StoredSecretKind } from "../../../contract/stored-secret.ts";
import { secretBinding } from "./endpoint.ts";
import { replaceStoredSecret, selectStoredSecrets } from "./webhook-endpoint-queries.ts";

/** The secrets of webhook endpoints. */
export const webhookEndpointSecrets: StoredSecretKind = {
  select: selectStoredSecrets,
  boundTo: ({ id = "" }) => secretBinding(id),
  replace: (transaction, { id = "", encrypted: before }, after) =>
    replaceStoredSecret(transaction, id, { before, after }),
};
