import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifiers, ItemResult, keyedById, perId } from "../../../contract/schema.ts";
import { isUuid } from "../workspaces.ts";
import { revokeTokens } from "./auth-token-queries.ts";

const REVOKED = { success: true, message: "Auth token revoked." };
const MISSING = { success: false, message: "There is no such auth token." };

const Request = Type.Object({ tokenIds: Identifiers });

/** Revokes auth tokens of this workspace. Tokens of other workspaces are treated as unknown. */
export const deleteAuthTokens = operation({
  path: "/v2/workspace/authtokens/delete",
  summary: "Revoke auth tokens",
  description:
    "The process that responds rejects a revoked token at once, the others within a second. The token of the " +
    "request itself can be revoked too. An unknown ID fails alone.",
  message: "Auth tokens revoked.",
  scope: "admin",
  request: Request,
  deletes: ["tokenIds"],
  response: perId(ItemResult),
  audit: "auth_token.delete",
  example: { tokenIds: ["0198c0de-7a11-4b1d-9c3e-2f6a5b8d4e10"] },
  handle,
});

async function handle({ database, workspace, audit, workspaceChanged }: Context, { tokenIds }: Static<typeof Request>) {
  const uuids = tokenIds.filter(isUuid).map((id) => id.toLowerCase());
  const revoked = await database.transaction(async (transaction) => {
    const found = await revokeTokens(transaction, { workspaceId: workspace.id, ids: uuids });
    const target = { tokenIds: found.map(({ id }) => id), tokenNames: found.map(({ name }) => name) };
    if (found.length > 0) await audit(transaction, target);
    return found;
  });
  workspaceChanged();
  const found = new Set(revoked.map(({ id }) => id));
  return keyedById(tokenIds.map((id) => [id, found.has(id.toLowerCase()) ? REVOKED : MISSING]));
}
