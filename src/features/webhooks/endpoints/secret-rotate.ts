import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import {
  generateSecret,
  PREVIOUS_SECRET_MS,
  requireAdvancedWebhooks,
  secretBinding,
  unknownEndpoint,
} from "./endpoint.ts";
import { lockEndpoint, replaceSecret } from "./queries.ts";

/** Replaces the secret of an endpoint. */
export const rotateWebhookSecret = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/secret/rotate",
  summary: "Replace the secret of a webhook endpoint",
  description:
    "Returns the new secret. For 24 hours messages are signed with the previous secret too, so that receivers can " +
    "change over without a gap. A second rotation within this time ends the first of the three.",
  message: "Webhook secret rotated.",
  scope: "admin",
  request: Type.Object({ endpointId: Identifier }),
  response: Type.Object({ endpointId: Type.String(), secret: Type.String() }),
  audit: "webhook_secret.rotate",
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111" },
  async handle(context, { endpointId }) {
    const { workspace, database, secrets, audit } = context;
    const secret = generateSecret();
    await database.transaction(async (transaction) => {
      await requireAdvancedWebhooks(context, transaction);
      const row = isUuid(endpointId) ? await lockEndpoint(transaction, workspace.id, endpointId) : undefined;
      if (!row) throw unknownEndpoint();
      const encrypted = secrets.encrypt(secret, secretBinding(row.id));
      await replaceSecret(transaction, workspace.id, { id: row.id, secret: encrypted, previousMs: PREVIOUS_SECRET_MS });
      await audit(transaction, { endpointId });
    });
    return { endpointId, secret };
  },
});
