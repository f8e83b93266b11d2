import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { acrossOrganizations, storedOrganization } from "../../tenancy/organization-scope.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { requireEnabledEndpoint } from "../endpoints/require-endpoint.ts";
import { selectDeliveryOrganization, sendAgain } from "./webhook-delivery-queries.ts";

const Request = Type.Object({ endpointId: Identifier, deliveryId: Identifier });

/** Schedules a message to be sent to an endpoint again. */
export const retryWebhookDelivery = operation({
  path: "/v2/workspace/advancedwebhook/deliveries/retry",
  summary: "Send a message to a webhook endpoint again",
  description:
    "Sends the message within a second, with the same `webhook-id` and the records as they are then, and repeats it " +
    "after failures like a new one. FAILED_PRECONDITION for a disabled endpoint, and unless advanced webhooks are " +
    "enabled.",
  message: "Webhook delivery scheduled.",
  scope: "write",
  request: Request,
  response: Type.Object({ deliveryId: Type.String(), status: Type.Literal("pending") }),
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: {
    endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111",
    deliveryId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c222",
  },
  handle,
});

async function handle(context: Context, { endpointId, deliveryId }: Static<typeof Request>) {
  const id = await requireEnabledEndpoint(context, endpointId);
  const { database } = context;
  const key = isUuid(deliveryId)
    ? await selectDeliveryOrganization(acrossOrganizations(database), id, deliveryId)
    : undefined;
  if (!(key && (await sendAgain(storedOrganization(database, key), id, deliveryId)))) {
    throw new ServiceError("not_found", "The endpoint has no such delivery.");
  }
  return { deliveryId, status: "pending" as const };
}
