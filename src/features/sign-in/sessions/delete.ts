import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifiers, ItemResult, keyedById, perId } from "../../../contract/schema.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { auditedWorkspaces } from "./audited-workspaces.ts";
import { sessionOwner } from "./session-owner.ts";
import { deleteSessionRows } from "./session-queries.ts";

const ENDED = { success: true, message: "Session ended." };
const MISSING = { success: false, message: "There is no such session." };

const Request = Type.Object({ sessionIds: Type.Optional(Identifiers) });

/** Ends sessions, which every process notices. Sessions of other owners are treated as unknown. */
export const deleteSessions = operation({
  path: "/v2/workspace/sessions/delete",
  summary: "End console sessions of the workspace's owner",
  description:
    "Ends sessions that `/v2/workspace/sessions/get` lists. Without `sessionIds` all of them end, including the " +
    "session of this request, which signs the person out everywhere. The process that responds rejects an ended " +
    "session at once, the others within a second.",
  message: "Sessions ended.",
  scope: "admin",
  request: Request,
  deletes: ["sessionIds"],
  response: perId(ItemResult),
  audit: "session.end",
  example: {},
  handle,
});

async function handle(context: Context, { sessionIds }: Static<typeof Request>) {
  const { database, audit, workspaceChanged } = context;
  const owner = await sessionOwner(context);
  const uuids = sessionIds?.filter(isUuid).map((id) => id.toLowerCase());
  const ended = owner
    ? await database.transaction(async (transaction) => {
        const ids = await deleteSessionRows(transaction, owner.address, uuids);
        if (ids.length > 0) {
          await audit(transaction, { sessionIds: ids }, await auditedWorkspaces(transaction, owner.address));
        }
        return ids;
      })
    : [];
  workspaceChanged();
  const found = new Set(ended);
  return keyedById((sessionIds ?? ended).map((id) => [id, found.has(id.toLowerCase()) ? ENDED : MISSING]));
}
