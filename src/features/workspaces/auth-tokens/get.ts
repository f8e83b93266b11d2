import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { listTokens } from "../workspace-queries.ts";
import { NAMED_TOKEN, Scopes } from "./auth-token.ts";

const MASKED_TOKEN = "********";
const Time = Type.Integer({ description: "Milliseconds since the epoch." });
const TimeOrNull = Type.Union([Time, Type.Null()]);

const AuthToken = Type.Object(
  {
    id: Type.String(),
    token: Type.String({ description: "Masked, because the service stores only a hash." }),
    ...NAMED_TOKEN,
    scopes: Scopes,
    createdAt: Time,
    expiresAt: TimeOrNull,
    lastUsedAt: TimeOrNull,
  },
  {
    title: "AuthToken",
    examples: [
      {
        id: "5b2c1d0e-8f3a-4c6b-9d7e-0a1b2c3d4e5f",
        token: MASKED_TOKEN,
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

const Request = Type.Object({ apiKey: Type.Optional(Identifier) });

/** Lists auth tokens without their secrets, which are stored only as hashes. */
export const getAuthTokens = operation({
  path: "/v2/workspace/authtokens/get",
  summary: "Read the auth tokens of the workspace",
  description:
    "Returns tokens without their secrets, oldest first. `expiresAt` is null if the token does not expire. " +
    "`lastUsedAt` is updated some seconds after the use. Revoked tokens are missing; expired tokens are listed " +
    "until they are revoked. Another `apiKey` than that of the workspace is `NOT_FOUND`.",
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

async function handle({ database, workspace }: Context, { apiKey = workspace.apiKey }: Static<typeof Request>) {
  requireOwnKey(apiKey, workspace.apiKey);
  const tokens = await listTokens(database, workspace.id);
  return { apiKey, authTokens: tokens.map((token) => ({ ...token, token: MASKED_TOKEN, domains: [] })) };
}

/** Throws NOT_FOUND for the API key of another workspace. */
export function requireOwnKey(apiKey: string, own: string): void {
  if (apiKey !== own) throw new ServiceError("not_found", "data.apiKey is not the API key of your workspace.");
}
