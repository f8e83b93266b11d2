import { ServiceError } from "../../../contract/errors.ts";
import type { Context } from "../../../contract/operation.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { endpointOf, requireAdvancedWebhooks, unknownEndpoint } from "./endpoint.ts";
import { selectEndpoint, selectSecret } from "./queries.ts";

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

/** Does the same, and throws FAILED_PRECONDITION if the endpoint is disabled, because no message would be sent. */
export async function requireEnabledEndpoint(
  context: Pick<Context, "workspace" | "database">,
  endpointId: string,
): Promise<string> {
  const id = await requireEndpoint(context, endpointId);
  const row = await selectEndpoint(context.database, context.workspace.id, id);
  if (!row) throw unknownEndpoint();
  if (endpointOf(row).disabled) {
    throw new ServiceError("webhooks_disabled", "The webhook endpoint is disabled; enable it first.");
  }
  return id;
}
