import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { openSecret } from "./endpoint.ts";
import { requireEndpoint } from "./require-endpoint.ts";

const Request = Type.Object({ endpointId: Identifier });

/** Reads the secret that signs the messages of an endpoint. */
export const getWebhookSecret = operation({
  path: "/v2/workspace/advancedwebhook/endpoints/secret/get",
  summary: "Read the secret of a webhook endpoint",
  description:
    "Returns the secret in clear text: do not log the response. FAILED_PRECONDITION if `SECRET_KEY` has changed " +
    "since the secret was made.",
  message: "Webhook secret retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Object({
    endpointId: Type.String(),
    secret: Type.String({ description: "`whsec_` and the base64 of 24 bytes." }),
  }),
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: { endpointId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111" },
  handle,
});

async function handle(context: Context, { endpointId }: Static<typeof Request>) {
  const { id, secret } = await requireEndpoint(context, endpointId);
  return { endpointId: id, secret: openSecret(context.secrets, id, secret) };
}
