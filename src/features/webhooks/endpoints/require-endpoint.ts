import { ServiceError } from "../../../contract/errors.ts";
import type { Context, Workspace } from "../../../contract/operation.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { requireAdvancedWebhooks, unknownEndpoint } from "./endpoint.ts";
import { type EndpointWithSecret, lockEndpoint, selectEndpoint } from "./webhook-endpoint-queries.ts";

type EndpointContext = Pick<Context, "workspace" | "database">;

/** Returns an endpoint of the workspace, with its ID as it is stored. Throws NOT_FOUND if there is none. */
export function requireEndpoint({ workspace, database }: EndpointContext, endpointId: string) {
  return requireRow(selectEndpoint, database, workspace, endpointId);
}

/**
 * Returns the stored ID of an endpoint. Throws FAILED_PRECONDITION too if it is disabled, because no message would be
 * sent.
 */
export async function requireEnabledEndpoint(context: EndpointContext, endpointId: string): Promise<string> {
  const { id, disabled } = await requireEndpoint(context, endpointId);
  if (disabled) throw new ServiceError("webhooks_disabled", "The webhook endpoint is disabled; enable it first.");
  return id;
}

/** Returns an endpoint like `requireEndpoint`, and locks it until the end of the transaction. */
export function lockRequiredEndpoint(
  transaction: Transaction,
  { workspace }: Pick<Context, "workspace">,
  endpointId: string,
): Promise<EndpointWithSecret> {
  return requireRow(lockEndpoint, transaction, workspace, endpointId);
}

async function requireRow<Connection extends Queryable, Row>(
  read: (database: Connection, workspaceId: string, id: string) => Promise<Row | undefined>,
  database: Connection,
  workspace: Workspace,
  endpointId: string,
): Promise<Row> {
  await requireAdvancedWebhooks({ workspace }, database);
  const endpoint = isUuid(endpointId) ? await read(database, workspace.id, endpointId) : undefined;
  if (!endpoint) throw unknownEndpoint();
  return endpoint;
}
