import Type, { type Static } from "typebox";
import { formatCount } from "../../../config/format-limit.ts";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import { invalidField } from "../../../contract/errors.ts";
import { limitError } from "../../../contract/limit-error.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, MAX_TIME } from "../../../contract/schema.ts";
import { SCOPES } from "../../../contract/scopes.ts";
import { generateAuthToken } from "../credentials.ts";
import { addToken } from "../workspaces.ts";
import { Scopes, SECRET_EXAMPLE } from "./auth-token.ts";
import { countTokens } from "./auth-token-queries.ts";

const Request = Type.Object({
  name: Identifier,
  scopes: Type.Optional(Scopes),
  expiresAt: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_TIME,
      description: "Milliseconds since the epoch, in the future. Without it the token does not expire.",
    }),
  ),
});

/** Creates an auth token. Only this response contains the secret. */
export const addAuthToken = operation({
  path: "/v2/workspace/authtokens/add",
  summary: "Create an auth token",
  description:
    "Send `authToken` in the header `x-service-auth-token`, together with the API key of the workspace. Only " +
    "this response contains it: the service stores a hash. Repeating the request creates another token. A " +
    "workspace has at most 1,000 tokens, expired ones included; exceeding this is `FAILED_PRECONDITION`. " +
    "Without `scopes` the token has all of them. A token with the scope `admin` can create tokens with any scope.",
  message: "Auth token created.",
  scope: "admin",
  request: Request,
  response: Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      scopes: Scopes,
      expiresAt: Type.Union([Type.Integer(), Type.Null()]),
      authToken: Type.String(),
    },
    {
      examples: [
        {
          id: "5b2c1d0e-8f3a-4c6b-9d7e-0a1b2c3d4e5f",
          name: "billing",
          scopes: SCOPES,
          expiresAt: null,
          authToken: SECRET_EXAMPLE,
        },
      ],
    },
  ),
  audit: "auth_token.add",
  errors: ["FAILED_PRECONDITION"],
  example: { name: "billing" },
  handle,
});

async function handle(
  { database, workspace, audit }: Context,
  { name, scopes: given = [...SCOPES], expiresAt }: Static<typeof Request>,
) {
  if (expiresAt !== undefined && expiresAt <= Date.now()) throw invalidField("data.expiresAt", "must be in the future");
  const authToken = generateAuthToken();
  const scopes = SCOPES.filter((scope) => given.includes(scope));
  const id = await database.transaction(async (transaction) => {
    if ((await countTokens(transaction, workspace.id)) >= RECORD_LIMITS.authTokens) {
      throw limitError(
        "auth_tokens",
        `The workspace has ${formatCount(RECORD_LIMITS.authTokens)} auth tokens; revoke one first.`,
      );
    }
    const tokenId = await addToken(transaction, { workspaceId: workspace.id, name, scopes, authToken, expiresAt });
    await audit(transaction, { tokenId, tokenName: name, scopes });
    return tokenId;
  });
  return { id, name, scopes, expiresAt: expiresAt ?? null, authToken };
}
