import type { EndUser } from "../contract/end-user.ts";
import { ServiceError } from "../contract/errors.ts";
import type { Queryable } from "../database/statement.ts";
import { fetchKeySet } from "../features/user-tokens/issuers/fetch-key-set.ts";
import { type KeyFetches, KeySets } from "../features/user-tokens/issuers/key-sets.ts";
import { verifyIssuerToken, type WorkspaceIssuer } from "../features/user-tokens/issuers/verify-issuer-token.ts";
import { readTokenIssuerConfig } from "../features/user-tokens/token-issuer-config/token-issuer-config.ts";
import { findTokenIssuerConfig } from "../features/user-tokens/token-issuer-config/token-issuer-config-queries.ts";
import { hashCredential } from "../features/workspaces/credentials.ts";
import type { LookupCaches } from "../http/lookup-cache.ts";
import { OutgoingConnections } from "../outgoing/connections.ts";
import type { StartContext } from "./start-context.ts";

/** Verifies the tokens of the issuers that workspaces accept. */
export interface TokenIssuers {
  verify(apiKey: string, token: string, clientAddress: string): Promise<EndUser>;
  /** Fetches of signing keys, which the metrics count. */
  keyFetches: KeyFetches;
}

/** Opens the connections to token issuers, whose keys and settings are cached. */
export function openTokenIssuers(
  { config, log, resources }: StartContext,
  { caches, before }: { caches: LookupCaches; before: (clientAddress: string) => Queryable },
): TokenIssuers {
  const connections = new OutgoingConnections(config);
  resources.defer(() => connections.close());
  const keySets = new KeySets({ fetch: (url) => fetchKeySet(connections, url), log });
  const issuers = caches.create<WorkspaceIssuer>();
  async function find(apiKeyHash: Buffer, clientAddress: string): Promise<WorkspaceIssuer> {
    const row = await findTokenIssuerConfig(before(clientAddress), apiKeyHash);
    if (!row) throw new ServiceError("api_key_invalid", "The API key is invalid. Use that of your workspace.");
    return { workspaceId: row.workspaceId, config: readTokenIssuerConfig(row.config) };
  }
  return {
    async verify(apiKey, token, clientAddress) {
      const apiKeyHash = hashCredential(apiKey);
      const name = apiKeyHash.toString("base64");
      const issuer = issuers.get(name) ?? (await issuers.lookUp(name, () => find(apiKeyHash, clientAddress)));
      return verifyIssuerToken(keySets, issuer, token);
    },
    keyFetches: keySets.counts,
  };
}
