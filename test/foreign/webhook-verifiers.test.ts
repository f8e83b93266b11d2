import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { startOwnTestService } from "../harness.ts";
import { addReportedComment, createEndpoint, type ReceivedRequest, startReceiver } from "../webhooks.ts";

const VERIFIERS = [
  ["standardwebhooks", StandardWebhook],
  ["svix", SvixWebhook],
] as const;
const ROTATE = "/v2/workspace/advancedwebhook/endpoints/secret/rotate";
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

/** Returns a message that was signed with two secrets, the older one first, and these secrets. */
async function receive(): Promise<{ request: ReceivedRequest; secrets: string[] }> {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  const { secret: older } = await workspace.data("/v2/workspace/advancedwebhook/endpoints/secret/get", { endpointId });
  const { secret: newer } = await workspace.data(ROTATE, { endpointId });
  await addReportedComment(workspace);
  await eventually(() => expect(receiver.requests).not.toEqual([]));
  return { request: receiver.first(), secrets: [older, newer] };
}

const { request, secrets } = await receive();
const { body, headers } = request;

test.each(VERIFIERS)("the package %s accepts a message by the secret of before and after a rotation", (_, Webhook) => {
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
});

test.each(VERIFIERS)("the package %s rejects an altered message, and one of another secret", (_, Webhook) => {
  const [secret = ""] = secrets;
  const verify = (change: Partial<ReceivedRequest>, by = secret) => {
    const altered = { ...request, ...change };
    return new Webhook(by).verify(altered.body, altered.headers);
  };
  expect(() => verify({})).not.toThrow();
  expect(() => verify({ body: body.replace("Hello", "Hallo") })).toThrow();
  expect(() => verify({ headers: { ...headers, "webhook-id": "another" } })).toThrow();
  const timestamp = String(Number(headers["webhook-timestamp"]) + 1);
  expect(() => verify({ headers: { ...headers, "webhook-timestamp": timestamp } })).toThrow();
  expect(() => verify({}, `whsec_${Buffer.alloc(24, 1).toString("base64")}`)).toThrow();
});
