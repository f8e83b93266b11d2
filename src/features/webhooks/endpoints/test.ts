import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { newId } from "../../../database/new-id.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { insertMessages } from "../delivery/dispatching/webhook-dispatch-queries.ts";
import { TEST } from "../delivery/message.ts";
import { requireEnabledEndpoint } from "./require-endpoint.ts";

/** Stands for the organization of messages that belong to none. No organization has an empty ID. */
const NO_ORGANIZATION = "";

const Request = Type.Object({ endpointId: Identifier });

/** Sends a message to an endpoint to try it out. */
export const testWebhookEndpoint = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/test",
  summary: "Send a test event to a webhook endpoint",
  description:
    "Sends the event `message.test` within a second, whatever the filters of the endpoint are: signed, repeated " +
    "after failures and listed among the deliveries like any other. FAILED_PRECONDITION for a disabled endpoint, and " +
    "unless advanced webhooks are enabled.",
  message: "Test event scheduled.",
  scope: "write",
  request: Request,
  response: Type.Object({ deliveryId: Type.String(), status: Type.Literal("pending") }),
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111" },
  handle,
});

async function handle(context: Context, { endpointId }: Static<typeof Request>) {
  const { workspace, database } = context;
  const target = await requireEnabledEndpoint(context, endpointId);
  const id = newId();
  const scope = openOrganization(database, workspace, NO_ORGANIZATION);
  const subject = { endpointId: target };
  const event = { kind: TEST, organizationId: NO_ORGANIZATION, documentId: null, subject } as const;
  await insertMessages(scope, [{ id, target, position: 0, event }]);
  return { deliveryId: id, status: "pending" as const };
}
