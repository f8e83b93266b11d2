import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService } from "../../../../test/harness.ts";
import { addReportedComment as comment, createEndpoint, startReceiver } from "../../../../test/webhooks.ts";
import { acrossOrganizations } from "../../tenancy/organization-scope.ts";
import { selectUndispatched } from "./dispatching/webhook-dispatch-queries.ts";

const ENDPOINTS = "/v2/workspace/advancedwebhook/endpoints";
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

test("the signature is the one of the test vector of Standard Webhooks", () => {
  const signer = new Webhook("whsec_plJ3nmyCDGBKInavdOK15jsl");
  const body = '{"event_type":"ping","data":{"success":true}}';
  expect(signer.sign("msg_loFOjxBNrRLzqYUf", new Date(1_731_705_121_000), body)).toBe(
    "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
  );
});

test("an endpoint gets an event once, signed with its secret, as JSON", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  await comment(workspace);
  const { headers, body } = await eventually(() => receiver.first());
  const { secret } = await workspace.data(`${ENDPOINTS}/secret/get`, { endpointId });
  const payload = new Webhook(secret).verify(body, headers);
  expect(payload).toMatchObject({ event: "comment_annotation.add", webhookId: headers["webhook-id"] });
  expect(headers).toMatchObject({ "content-type": "application/json" });
  await comment(workspace);
  await eventually(() => expect(receiver.requests).toHaveLength(2));
});

test("for a time after a rotation, messages are signed with both secrets", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url });
  const secrets = [(await workspace.data(`${ENDPOINTS}/secret/get`, { endpointId })).secret];
  secrets.push((await workspace.data(`${ENDPOINTS}/secret/rotate`, { endpointId })).secret);
  await comment(workspace);
  await eventually(() => expect(receiver.requests).not.toEqual([]));
  for (const { headers, body } of receiver.requests) {
    expect(String(headers["webhook-signature"]).split(" ")).toHaveLength(2);
    for (const secret of secrets) {
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    }
  }
});

test("events of a document arrive in their order", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) ids.push(await comment(workspace));
  await eventually(() => expect(receiver.requests).toHaveLength(ids.length));
  expect(receiver.requests.map(({ body }) => JSON.parse(body).data.commentAnnotation.annotationId)).toEqual(ids);
});

test("an endpoint gets only events of its types and channels, and none from before it", async () => {
  const [all, channel, types] = [await startReceiver(), await startReceiver(), await startReceiver()];
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: all.url });
  await comment(workspace);
  await eventually(() => expect(all.requests).not.toEqual([]));
  await createEndpoint(workspace, { url: channel.url, channels: ["contract-8"] });
  await createEndpoint(workspace, { url: types.url, filterTypes: ["comment.delete"] });
  await comment(workspace);
  await comment(workspace, { documentId: "contract-8" });
  await eventually(() => expect(channel.requests).not.toEqual([]));
  const documents = channel.requests.map(({ body }) => JSON.parse(body).data.metadata.document.documentId);
  expect(new Set(documents)).toEqual(new Set(["contract-8"]));
  expect(types.requests).toEqual([]);
});

test("a user name and password in the URL are sent as Basic authentication", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: receiver.url.replace("//", "//ada:p%40ss@") });
  await comment(workspace);
  await eventually(() => expect(receiver.requests).not.toEqual([]));
  const expected = `Basic ${Buffer.from("ada:p@ss").toString("base64")}`;
  expect(receiver.first().headers.authorization).toBe(expected);
});

test("the URLs of basic webhooks get events with the auth token and without a signature", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/webhookconfig/update", {
    useWebhookService: true,
    webhookServiceConfig: {
      authToken: "c2VjcmV0",
      rawNotificationUrl: `${receiver.url}/raw`,
      processedNotificationUrl: `${receiver.url}/processed`,
    },
  });
  await comment(workspace);
  await eventually(() => {
    const paths = receiver.requests.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["/hooks/raw", "/hooks/processed"]));
  });
  for (const { headers } of receiver.requests) {
    expect(headers.authorization).toBe("Basic c2VjcmV0");
    expect(headers["webhook-signature"]).toBeUndefined();
  }
});

test("an organization whose last events are for single users is read once", async () => {
  const workspace = await service.workspace();
  await createEndpoint(workspace);
  const visibility = { type: "restricted" as const, userIds: ["ada", "grace"] };
  const commentAnnotations = [
    { annotationId: "a", visibility, commentData: [{ commentText: "Hi", from: { userId: "ada" } }] },
  ];
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
  await workspace.data("/v2/commentannotations/delete", { ...SCOPE, annotationIds: ["a"] });
  await eventually(async () =>
    expect(await selectUndispatched(acrossOrganizations(service.database), [workspace.id])).toEqual([]),
  );
});
