import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { toAdvancedSettings } from "../config/webhook-config.ts";
import { selectWebhookConfig } from "../config/webhook-config-queries.ts";
import { isOfLog } from "../delivery/message.ts";
import { bodyAboutMessages } from "../delivery/sending/exhausted.ts";
import { requireEndpoint } from "../endpoints/require-endpoint.ts";
import { advancedBody } from "../payloads/body.ts";
import { selectDeliverySubject } from "./webhook-delivery-queries.ts";

const Request = Type.Object({ endpointId: Identifier, deliveryId: Identifier });

/** Reads the payload of a delivery, with the records as they are now. */
export const getWebhookDeliveryPayload = operation({
  path: "/v2/workspace/advancedwebhook/deliveries/payload/get",
  summary: "Read the payload of a webhook delivery",
  description:
    "Returns the payload that an attempt would send now, with the records as they are, neither encoded nor " +
    "encrypted. FAILED_PRECONDITION unless advanced webhooks are enabled.",
  message: "Webhook payload retrieved.",
  scope: "read",
  request: Request,
  response: Type.Object({
    payload: Type.Unknown({
      description: "The JSON that the endpoint gets.",
      examples: [{ event: "comment.add", actionType: "add", source: "comment", webhookId: "019aa5c4", data: {} }],
    }),
  }),
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: {
    endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111",
    deliveryId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c222",
  },
  handle,
});

async function handle(context: Context, { endpointId, deliveryId }: Static<typeof Request>) {
  const { workspace, database } = context;
  const { id } = await requireEndpoint(context, endpointId);
  const event = isUuid(deliveryId)
    ? await selectDeliverySubject(acrossOrganizations(database), id, deliveryId)
    : undefined;
  const config = await selectWebhookConfig(database, workspace.id);
  if (!(event && config)) throw new ServiceError("not_found", "The endpoint has no such delivery.");
  const settings = { ...toAdvancedSettings(config), encodeData: false, encryptData: false };
  const plain = { ...config, advanced: JSON.stringify(settings) };
  const body = isOfLog(event)
    ? await advancedBody({ workspace, database }, plain, event, deliveryId)
    : bodyAboutMessages(plain, event, deliveryId);
  return { payload: JSON.parse(body) };
}
