import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { GrantedResources, grantsOf } from "../access/resource.ts";
import { issueUserToken, MAX_LIFETIME_SECONDS } from "./user-token.ts";

/** Generates a token with which a user's browser calls the API. */
export const generateUserToken = operation({
  path: "/v2/auth/generate_token",
  summary: "Generate a token for a user",
  description:
    "Returns a JWT with which the pages of your product call the service for the user: as the bearer " +
    "token of the header `Authorization`, without other credentials. `resources` say what the user may read " +
    "(`viewer`) or also write (`editor`, the default), until the token expires or `expiresAt`. `organizationId` is " +
    "required for folders and documents. `isAdmin` is a claim for your client and grants nothing. The service stores " +
    "no tokens; `/v2/auth/tokens/revoke` ends those of a user.",
  message: "Token generated.",
  scope: "admin",
  request: Type.Object({
    userId: Identifier,
    userProperties: Type.Object({
      name: Type.String({ maxLength: 256 }),
      email: Type.String({ maxLength: 320 }),
      isAdmin: Type.Optional(Type.Boolean({ default: false })),
    }),
    permissions: Type.Object({ resources: GrantedResources }),
    expiresInSeconds: Type.Optional(
      Type.Integer({ minimum: 60, maximum: MAX_LIFETIME_SECONDS, default: MAX_LIFETIME_SECONDS }),
    ),
  }),
  response: Type.Object({ token: Type.String() }),
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
  async handle({ database, userTokenKeys, workspace }, { userId, userProperties, permissions, expiresInSeconds }) {
    const token = await issueUserToken({ database, userTokenKeys }, workspace.apiKey, {
      subject: { userId, ...userProperties },
      grants: grantsOf(permissions.resources, "data.permissions.resources"),
      lifetimeSeconds: expiresInSeconds ?? MAX_LIFETIME_SECONDS,
    });
    return { token };
  },
});
