import Type, { type Static } from "typebox";
import type { Grant } from "../../contract/end-user.ts";
import { type PublicContext, publicOperation } from "../../contract/operation.ts";
import { Identifier, UserEmail } from "../../contract/schema.ts";
import { keepEventLog } from "../event-log/listening.ts";
import { addAutomaticEditors } from "./automatic-editors.ts";
import { issueUserToken, MAX_LIFETIME_SECONDS } from "./user-token.ts";

const Request = Type.Object({
  apiKey: Identifier,
  authToken: Identifier,
  userId: Identifier,
  userProperties: Type.Optional(
    Type.Object({
      organizationId: Identifier,
      isAdmin: Type.Optional(Type.Boolean({ default: false })),
      email: Type.Optional(UserEmail),
    }),
  ),
});

/** Generates a user token for a caller whose credentials are in the body. */
export const getUserToken = publicOperation({
  authentication: "none",
  path: "/v1/auth/token/get",
  summary: "Generate a token for a user, with the credentials in the body",
  description:
    "Needs no headers: the API key and the auth token are in `data`. The auth token needs the scope `admin`. The " +
    "user token is valid for 48 hours and makes the user an `editor` of the organization named, if any. New code " +
    "should call `/v2/auth/generate_token`.",
  message: "Token generated.",
  audit: "permission.add",
  request: Request,
  response: Type.Object({ token: Type.String() }),
  errors: ["FAILED_PRECONDITION"],
  example: {
    apiKey: "colloquy_key_0123456789abcdef0123456789abcdef",
    authToken: `colloquy_token_${"0".repeat(64)}`,
    userId: "ada",
    userProperties: { organizationId: "acme", email: "ada@example.com" },
  },
  handle,
});

async function handle(
  { database, userTokenKeys, events, workspaceChanged, authenticate, audit }: PublicContext,
  { userId, userProperties, ...credentials }: Static<typeof Request>,
) {
  const workspace = await authenticate(credentials, "admin");
  const { organizationId, ...properties } = userProperties ?? {};
  const grants = organizationId === undefined ? [] : [buildEditorGrant(organizationId)];
  await addAutomaticEditors({ database, audit }, workspace, userId, grants);
  const token = await issueUserToken({ database, userTokenKeys }, workspace.apiKey, {
    subject: { userId, ...properties },
    grants,
    lifetimeSeconds: MAX_LIFETIME_SECONDS,
  });
  await keepEventLog({ workspace, database, events, workspaceChanged });
  return { token };
}

function buildEditorGrant(organizationId: string): Grant {
  return { type: "organization", id: organizationId, organizationId, accessRole: "editor" };
}
