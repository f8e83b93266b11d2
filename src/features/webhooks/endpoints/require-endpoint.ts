import { ServiceError } from "../../../contract/errors.ts";
import type { Context } from "../../../contract/operation.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { type EndpointRow, requireAdvancedWebhooks, unknownEndpoint } from "./endpoint.ts";
import { selectEndpoint } from "./queries.ts";

type EndpointContext = Pick<Context, "workspace" | "database">;

/** Returns the ID of an endpoint of the workspace as it is stored. Throws NOT_FOUND if there is none. */
export async function requireEndpoint(context: EndpointContext, endpointId: string): Promise<string> {
  return (await findEndpoint(context, endpointId)).id;
}

/** Does the same, and throws FAILED_PRECONDITION if the endpoint is disabled, because no message would be sent. */
export async function requireEnabledEndpoint(context: EndpointContext, endpointId: string): Promise<string> {
  const { id, disabled } = await findEndpoint(context, endpointId);
  if (disabled) throw new ServiceError("webhooks_disabled", "The webhook endpoint is disabled; enable it first.");
  return id;
}

async function findEndpoint({ workspace, database }: EndpointContext, endpointId: string): Promise<EndpointRow> {
  await requireAdvancedWebhooks({ workspace }, database);
  const endpoint = isUuid(endpointId) ? await selectEndpoint(database, workspace.id, endpointId) : undefined;
  if (!endpoint) throw unknownEndpoint();
  return endpoint;
}
