import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { generateSecret, PREVIOUS_SECRET_MS, secretBinding } from "./endpoint.ts";
import { lockRequiredEndpoint } from "./require-endpoint.ts";
import { replaceSecret } from "./webhook-endpoint-queries.ts";

const Request = Type.Object({ endpointId: Identifier });

/** Replaces the secret of an endpoint. */
export const rotateWebhookSecret = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/secret/rotate",
  summary: "Replace the secret of a webhook endpoint",
  description:
    "Returns the new secret. For 24 hours messages are signed with the previous secret too, so that receivers can " +
    "change over without a gap. A second rotation within this time ends the first of the three. A previous secret " +
    "that cannot be read, as `SECRET_KEY` has changed since, ends at once.",
  message: "Webhook secret rotated.",
  scope: "admin",
  request: Request,
  response: Type.Object({ endpointId: Type.String(), secret: Type.String() }),
  audit: "webhook_secret.rotate",
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111" },
  handle,
});

async function handle(context: Context, { endpointId }: Static<typeof Request>) {
  const { workspace, database, secrets, audit } = context;
  const secret = generateSecret();
  return database.transaction(async (transaction) => {
    const { id, secret: previous } = await lockRequiredEndpoint(transaction, context, endpointId);
    const encrypted = secrets.encrypt(secret, secretBinding(id));
    const previousMs = secrets.open(previous, secretBinding(id)) ? PREVIOUS_SECRET_MS : undefined;
    await replaceSecret(transaction, workspace.id, { id, secret: encrypted, previousMs });
    await audit(transaction, { endpointId: id });
    return { endpointId: id, secret };
  });
}
