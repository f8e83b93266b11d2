import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { revokeUserTokens } from "./revoke-user-tokens.ts";

const REVOKED = { success: true, message: "User tokens revoked." };

const Request = Type.Object({ userIds: Identifiers });

/** Revokes all tokens that users have been issued. Tokens issued after the response are valid. */
export const revokeTokens = operation({
  path: "/v2/auth/tokens/revoke",
  summary: "Revoke the tokens of users",
  description:
    "The tokens that the users have been issued until now are rejected, at once by the process that responds, and " +
    "within a second by the others. Tokens issued after the response are valid. A user without tokens is not an error.",
  message: "User tokens revoked.",
  scope: "admin",
  audit: "user_token.revoke",
  request: Request,
  deletes: ["userIds"],
  response: perId(ItemResult),
  example: { userIds: ["ada"] },
  handle,
});

async function handle({ database, workspace, audit, workspaceChanged }: Context, { userIds }: Static<typeof Request>) {
  await database.transaction(async (transaction) => {
    await revokeUserTokens(transaction, { workspaceId: workspace.id, userIds });
    await audit(transaction, { users: new Set(userIds).size });
  });
  workspaceChanged();
  return keyedById(userIds.map((id) => [id, REVOKED]));
}
