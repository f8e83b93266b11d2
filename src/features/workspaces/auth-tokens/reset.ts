import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { generateAuthToken } from "../credentials.ts";
import { addToken } from "../workspaces.ts";
import { NAMED_TOKEN, SECRET_EXAMPLE } from "./auth-token.ts";
import { takeToken } from "./auth-token-queries.ts";
import { requireOwnKey } from "./get.ts";

const Request = Type.Object({ apiKey: Identifier });

/** Replaces the auth token of the caller. Only this response contains the new secret. */
export const resetAuthToken = operation({
  path: "/v2/workspace/authtoken/reset",
  summary: "Replace the auth token of the request",
  description:
    "Revokes the token of the request and creates one with its name, scopes and expiry. Only this response contains " +
    "the new secret. A caller who loses the response needs another token: the old one is revoked. A session of the " +
    "console has no token to replace, which is `FAILED_PRECONDITION`.",
  message: "Auth token replaced.",
  scope: "admin",
  request: Request,
  response: Type.Object({
    apiKey: Type.String(),
    newAuthToken: Type.Object({ token: Type.String({ examples: [SECRET_EXAMPLE] }), ...NAMED_TOKEN }),
  }),
  audit: "auth_token.reset",
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { apiKey: "colloquy_key_0123456789abcdef0123456789abcdef" },
  handle,
});

async function handle(
  { database, workspace, actor, audit, workspaceChanged }: Context,
  { apiKey }: Static<typeof Request>,
) {
  requireOwnKey(apiKey, workspace.apiKey);
  const tokenId = actor?.type === "token" ? actor.id : null;
  if (tokenId === null) throw new ServiceError("auth_token_required", "A session has no auth token to replace.");
  const authToken = generateAuthToken();
  const name = await database.transaction(async (transaction) => {
    const taken = await takeToken(transaction, workspace.id, tokenId);
    if (!taken) throw new ServiceError("auth_token_invalid", "The auth token was replaced or revoked meanwhile.");
    const newTokenId = await addToken(transaction, { workspaceId: workspace.id, ...taken, authToken });
    await audit(transaction, { tokenId, newTokenId, tokenName: taken.name });
    return taken.name;
  });
  workspaceChanged();
  return { apiKey, newAuthToken: { token: authToken, name, domains: [] } };
}
