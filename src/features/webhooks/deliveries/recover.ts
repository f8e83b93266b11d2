import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier, MAX_TIME } from "../../../contract/schema.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { requireEnabledEndpoint } from "../endpoints/require-endpoint.ts";
import { sendFailedAgain } from "./webhook-delivery-queries.ts";

const Request = Type.Object({
  endpointId: Identifier,
  since: Type.Integer({
    minimum: 0,
    maximum: MAX_TIME,
    description: "Time of the oldest message, in milliseconds since the epoch.",
  }),
});

/** Schedules all messages to an endpoint again that have failed since a time. */
export const recoverWebhookDeliveries = operation({
  path: "/v2/workspace/advancedwebhook/deliveries/recover",
  summary: "Send all failed messages to a webhook endpoint again",
  description:
    "Sends each message of that time again whose attempts have all failed, also if more of them would follow, as " +
    "`/v2/workspace/advancedwebhook/deliveries/retry` does. FAILED_PRECONDITION for a disabled endpoint, and unless " +
    "advanced webhooks are enabled.",
  message: "Webhook deliveries scheduled.",
  scope: "write",
  request: Request,
  response: Type.Object({ count: Type.Integer({ minimum: 0, description: "Number of messages." }) }),
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111", since: 1_795_474_800_000 },
  handle,
});

async function handle(context: Context, { endpointId, since }: Static<typeof Request>) {
  const id = await requireEnabledEndpoint(context, endpointId);
  return { count: await sendFailedAgain(acrossOrganizations(context.database), id, since) };
}
