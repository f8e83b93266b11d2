import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { openSecret, requireAdvancedWebhooks, unknownEndpoint } from "./endpoint.ts";
import { selectSecret } from "./queries.ts";

/** Reads the secret that signs the messages of an endpoint. */
export const getWebhookSecret = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/secret/get",
  summary: "Read the secret of a webhook endpoint",
  description:
    "Returns the secret in clear text: do not log the answer. FAILED_PRECONDITION if `SECRET_KEY` has changed since " +
    "the secret was made.",
  message: "Webhook secret retrieved.",
  scope: "admin",
  request: Type.Object({ endpointId: Identifier }),
  response: Type.Object({
    endpointId: Type.String(),
    secret: Type.String({ description: "`whsec_` and the base64 of 24 bytes." }),
  }),
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111" },
  async handle(context, { endpointId }) {
    const { workspace, database, secrets } = context;
    await requireAdvancedWebhooks(context, database);
    const secret = isUuid(endpointId) ? await selectSecret(database, workspace.id, endpointId) : undefined;
    if (!secret) throw unknownEndpoint();
    return { endpointId, secret: openSecret(secrets, endpointId.toLowerCase(), secret) };
  },
});
