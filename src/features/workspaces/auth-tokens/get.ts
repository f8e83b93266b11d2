import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { NAMED_TOKEN, Scopes } from "./auth-token.ts";
import { listRevokedTokens, listTokens } from "./auth-token-queries.ts";

const MASK = "********";
const MAX_REVOKED = 1_000;
const Time = Type.Integer({ description: "Milliseconds since the epoch." });
const TimeOrNull = Type.Union([Time, Type.Null()]);

const AuthToken = Type.Object(
  {
    id: Type.String(),
    token: Type.String({
      description:
        "Masked, because the service stores only a hash, up to its last four characters. Shorter tokens than 32 " +
        "characters are masked whole.",
    }),
    ...NAMED_TOKEN,
    scopes: Scopes,
    createdAt: Time,
    expiresAt: TimeOrNull,
    lastUsedAt: TimeOrNull,
    revokedAt: Type.Optional(Time),
  },
  {
    title: "AuthToken",
    examples: [
      {
        id: "5b2c1d0e-8f3a-4c6b-9d7e-0a1b2c3d4e5f",
        token: `${MASK}b036`,
        name: "billing",
        domains: [],
        scopes: ["read"],
        createdAt: 1_795_512_600_000,
        expiresAt: null,
        lastUsedAt: 1_795_512_645_000,
      },
    ],
  },
);

const Request = Type.Object({
  apiKey: Type.Optional(Identifier),
  includeRevoked: Type.Optional(
    Type.Boolean({ default: false, description: "Adds the last 1,000 revoked tokens, with `revokedAt`." }),
  ),
});

/** Lists auth tokens without their secrets, which are stored only as hashes. */
export const getAuthTokens = operation({
  path: "/v2/workspace/authtokens/get",
  summary: "Read the auth tokens of the workspace",
  description:
    "Returns tokens without their secrets, oldest first. `expiresAt` is null if the token does not expire. " +
    "`lastUsedAt` is updated some seconds after the use. Expired tokens are listed until they are revoked. Revoked " +
    "and replaced ones are listed, until `AUDIT_RETENTION_DAYS` have passed, with `includeRevoked`. Another " +
    "`apiKey` than that of the workspace is `NOT_FOUND`.",
  message: "Auth tokens retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Object({
    apiKey: Type.String(),
    authTokens: Type.Array(AuthToken),
  }),
  errors: ["NOT_FOUND"],
  example: {},
  handle,
});

async function handle(
  { database, workspace }: Context,
  { apiKey = workspace.apiKey, includeRevoked = false }: Static<typeof Request>,
) {
  requireOwnKey(apiKey, workspace.apiKey);
  const tokens = await listTokens(database, workspace.id);
  const revoked = includeRevoked ? await listRevokedTokens(database, workspace.id, MAX_REVOKED) : [];
  const authTokens = [...tokens, ...revoked].map(({ lastCharacters, ...token }) => {
    return { ...token, token: `${MASK}${lastCharacters ?? ""}`, domains: [] };
  });
  return { apiKey, authTokens };
}

/** Throws NOT_FOUND for the API key of another workspace. */
export function requireOwnKey(apiKey: string, own: string): void {
  if (apiKey !== own) throw new ServiceError("not_found", "data.apiKey is not the API key of your workspace.");
}
