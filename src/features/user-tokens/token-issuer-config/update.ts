import { type Context, operation } from "../../../contract/operation.ts";
import { keepEventLog } from "../../event-log/listening.ts";
import { getTokenIssuerConfig } from "./get.ts";
import {
  mergeTokenIssuerConfig,
  readTokenIssuerConfig,
  requireUsable,
  TokenIssuerConfig,
  TokenIssuerConfigUpdate,
} from "./token-issuer-config.ts";
import { lockTokenIssuerConfig, replaceTokenIssuerConfig } from "./token-issuer-config-queries.ts";

/** Merges the fields sent. Takes effect at once on this process and within a second on the others. */
export const updateTokenIssuerConfig = operation({
  path: "/v2/workspace/tokenissuerconfig/update",
  summary: "Update the configuration of the token issuer",
  description:
    "Names an issuer of JSON Web Tokens, such as your identity provider, whose tokens are then user tokens of this " +
    "workspace: pages send them as the bearer token, with the API key in `x-service-api-key`. Replaces the fields " +
    "and names of claims that are sent, and keeps the others; `roles` is replaced as a whole. With `isEnabled`, " +
    "`issuer`, `jwksUrl` and `audience` are required. A token must be signed with RS256, RS384, RS512, PS256, " +
    "PS384, PS512, ES256, ES384, ES512 or EdDSA under a key of `jwksUrl`, name the issuer and the audience, and " +
    "have `iat` and `exp`. It is accepted for 48 hours at most.",
  message: "Token issuer configuration updated.",
  scope: "admin",
  returned: { by: getTokenIssuerConfig, request: () => ({}) },
  request: TokenIssuerConfigUpdate,
  response: TokenIssuerConfig,
  audit: "token_issuer_config.update",
  example: {
    isEnabled: true,
    issuer: "https://example.eu.auth0.com/",
    jwksUrl: "https://example.eu.auth0.com/.well-known/jwks.json",
    audience: "https://colloquy.example.com",
    claims: { organizations: "org_id", roles: "https://example.com/roles" },
    roles: { admin: "moderator", member: "editor" },
  },
  handle,
});

async function handle(context: Context, changes: TokenIssuerConfigUpdate) {
  const { database, workspace, audit, workspaceChanged, allowPrivateAddresses } = context;
  const config = await database.transaction(async (transaction) => {
    const before = readTokenIssuerConfig(await lockTokenIssuerConfig(transaction, workspace.id));
    const after = mergeTokenIssuerConfig(before, changes);
    requireUsable(after, allowPrivateAddresses);
    await replaceTokenIssuerConfig(transaction, workspace.id, JSON.stringify(after));
    const { isEnabled, issuer, jwksUrl } = after;
    await audit(transaction, { fields: Object.keys(changes), isEnabled, issuer, jwksUrl });
    return after;
  });
  workspaceChanged();
  // Pages follow events from their first list on, as with the tokens that the service generates.
  if (config.isEnabled) await keepEventLog(context);
  return config;
}
