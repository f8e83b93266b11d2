import type { Context } from "../../../contract/operation.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { requireAdvancedWebhooks, unknownEndpoint } from "./endpoint.ts";
import { selectSecret } from "./queries.ts";

/** Returns the ID of an endpoint of the workspace as it is stored. Throws NOT_FOUND if there is none. */
export async function requireEndpoint(
  context: Pick<Context, "workspace" | "database">,
  endpointId: string,
): Promise<string> {
  await requireAdvancedWebhooks(context, context.database);
  const exists = isUuid(endpointId) && (await selectSecret(context.database, context.workspace.id, endpointId));
  if (!exists) throw unknownEndpoint();
  return endpointId.toLowerCase();
}
