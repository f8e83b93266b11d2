import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, UserEmail } from "../../contract/schema.ts";
import { MAX_WEB_URL_LENGTH } from "../../contract/web-url.ts";
import { GrantedResources, toGrants } from "../access/resource.ts";
import { keepEventLog } from "../event-log/listening.ts";
import { addAutomaticEditors } from "./automatic-editors.ts";
import { issueUserToken, MAX_LIFETIME_SECONDS } from "./user-token.ts";

const Request = Type.Object({
  userId: Identifier,
  userProperties: Type.Object({
    name: Type.String({ maxLength: 256 }),
    email: Type.Optional(UserEmail),
    photoUrl: Type.Optional(Type.String({ maxLength: MAX_WEB_URL_LENGTH })),
    isAdmin: Type.Optional(Type.Boolean({ default: false })),
  }),
  permissions: Type.Object({ resources: GrantedResources }),
  expiresInSeconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: MAX_LIFETIME_SECONDS, default: MAX_LIFETIME_SECONDS }),
  ),
});

/** Generates a token with which a user's browser calls the API. */
export const generateUserToken = operation({
  path: "/v2/auth/generate_token",
  summary: "Generate a token for a user",
  description:
    "Returns a JWT with which the pages of your product call the service for the user: as the bearer " +
    "token of the header `Authorization`, without other credentials. `resources` say what the user may do, as a " +
    "`viewer`, `commenter`, `editor` (the default) or `moderator`, until the token expires or `expiresAt`. " +
    "`organizationId` is required for folders and documents. `isAdmin` is a claim for your client and grants " +
    "nothing. The service stores no tokens; `/v2/auth/tokens/revoke` ends those of a user. With " +
    "`requireAutoOrgUser` of `/v2/workspace/apikeyconfig/update`, the user becomes an editor of the organizations " +
    "among the resources.",
  message: "Token generated.",
  scope: "admin",
  audit: "permission.add",
  request: Request,
  response: Type.Object({ token: Type.String() }),
  errors: ["FAILED_PRECONDITION"],
  example: {
    userId: "ada",
    userProperties: { name: "Ada Lovelace", email: "ada@example.com" },
    permissions: {
      resources: [
        { type: "document", id: "contract-7", organizationId: "acme", accessRole: "editor" },
        { type: "organization", id: "acme", accessRole: "viewer" },
      ],
    },
  },
  handle,
});

async function handle(
  context: Context,
  { userId, userProperties, permissions, expiresInSeconds }: Static<typeof Request>,
) {
  const { database, userTokenKeys, workspace, audit } = context;
  const grants = toGrants(permissions.resources);
  await addAutomaticEditors({ database, audit }, workspace, userId, grants);
  const token = await issueUserToken({ database, userTokenKeys }, workspace.apiKey, {
    subject: { userId, ...userProperties },
    grants,
    lifetimeSeconds: expiresInSeconds ?? MAX_LIFETIME_SECONDS,
  });
  await keepEventLog(context);
  return { token };
}
