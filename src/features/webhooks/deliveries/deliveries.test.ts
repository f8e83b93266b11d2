import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService } from "../../../../test/harness.ts";
import { addReportedComment, createEndpoint, startReceiver } from "../../../../test/webhooks.ts";

const TEST = "/v2/workspace/advancedwebhook/endpoints/test";
const DELIVERIES = "/v2/workspace/advancedwebhook/deliveries";
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

test("deliveries are listed with their attempts, newest first, page by page", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  for (let count = 0; count < 3; count++) await addReportedComment(workspace);
  const get = (request: object = {}) => workspace.data(`${DELIVERIES}/get`, { endpointId, ...request });
  await eventually(async () =>
    expect((await get()).deliveries.map(({ status }) => status)).toEqual(Array(3).fill("delivered")),
  );
  const { deliveries, iterator, done } = await get();
  expect([iterator, done]).toEqual([null, true]);
  const sent = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual(sent.toReversed());
  expect(deliveries[0]).toMatchObject({
    ...{ event: "comment_annotation.add", organizationId: "acme", documentId: "contract-7", nextAttemptAt: null },
    attempts: [{ httpStatus: expect.any(Number), latencyMs: expect.any(Number), error: null }],
  });
  const first = await get({ limit: 2 });
  const second = await get({ limit: 2, iterator: first.iterator ?? "" });
  expect([first.done, second.done, second.iterator]).toEqual([false, true, null]);
  expect([...first.deliveries, ...second.deliveries]).toEqual(deliveries);
});

test("a delivery is sent again with the same ID", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  await addReportedComment(workspace);
  const get = async () => (await workspace.data(`${DELIVERIES}/get`, { endpointId })).deliveries;
  await eventually(async () => expect(await get()).toMatchObject([{ status: "delivered" }]));
  const deliveryId = (await get())[0]?.deliveryId ?? "";
  expect(await workspace.data(`${DELIVERIES}/retry`, { endpointId, deliveryId })).toEqual({
    ...{ deliveryId, status: "pending" },
  });
  await eventually(async () => expect((await get())[0]).toMatchObject({ status: "delivered", attempts: [{}, {}] }));
  expect(receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual([deliveryId, deliveryId]);
});

test.each([204, 500])(
  "a message that is to be sent again during an attempt is, whatever its HTTP status, such as %i",
  async (status) => {
    const arrived = Promise.withResolvers<void>();
    const retried = Promise.withResolvers<void>();
    const receiver = await startReceiver((response) => {
      arrived.resolve();
      void retried.promise.then(() => response.writeHead(receiver.requests.length === 1 ? status : 204).end());
    });
    const workspace = await service.workspace();
    const endpointId = await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
    await addReportedComment(workspace);
    await arrived.promise;
    const get = async () => (await workspace.data(`${DELIVERIES}/get`, { endpointId })).deliveries;
    const deliveryId = (await get())[0]?.deliveryId ?? "";
    await workspace.data(`${DELIVERIES}/retry`, { endpointId, deliveryId });
    retried.resolve();
    await eventually(async () => expect((await get())[0]).toMatchObject({ status: "delivered", attempts: [{}, {}] }));
    expect(receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual([deliveryId, deliveryId]);
  },
);

test("all messages that failed since a time are sent again, and the figures of the endpoint follow", async () => {
  const isWorking = { current: false };
  const receiver = await startReceiver((response) => response.writeHead(isWorking.current ? 204 : 500).end());
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  const get = async (request: object = {}) =>
    (await workspace.data(`${DELIVERIES}/get`, { endpointId, ...request })).deliveries;
  const getFigures = () => workspace.data(`${DELIVERIES}/figures/get`, {});
  await addReportedComment(workspace);
  await eventually(async () => expect(await get()).toMatchObject([{ attempts: [{ httpStatus: 500 }] }]));
  const [early] = await get();
  await eventually(async () => expect(Date.now()).toBeGreaterThan(Date.parse(early?.createdAt ?? "")));
  const since = Date.now();
  await addReportedComment(workspace);
  await eventually(async () => expect(await get()).toMatchObject([{ attempts: [{}] }, { attempts: [{}, ...[]] }]));
  expect(await getFigures()).toEqual([
    {
      ...{ endpointId, delivered: 0, failed: 0, pending: 2 },
      ...{ failingSince: expect.any(String), lastFailedAt: expect.any(String) },
    },
  ]);
  isWorking.current = true;
  expect(await workspace.data(`${DELIVERIES}/recover`, { endpointId, since })).toEqual({ count: 1 });
  await eventually(async () => expect(await get({ statuses: ["delivered"] })).toHaveLength(1));
  expect(await get({ statuses: ["delivered"] })).not.toMatchObject([{ deliveryId: early?.deliveryId }]);
  await eventually(async () => expect(await getFigures()).toMatchObject([{ delivered: 1, failingSince: null }]));
  expect(await workspace.data(`${DELIVERIES}/recover`, { endpointId, since })).toEqual({ count: 0 });
});

test("a time that no clock shows is INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: "https://hooks.example.com/" });
  const error = await workspace.error(`${DELIVERIES}/recover`, { endpointId, since: 1e20 });
  expect(error).toMatchObject({ httpStatus: 400, message: expect.stringContaining("data.since must be at most") });
});

test("the payload of a delivery is what the endpoint got, also if bodies are encoded", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { encodeData: true });
  await addReportedComment(workspace);
  await eventually(async () => expect(receiver.requests).toHaveLength(1));
  const { headers, body } = receiver.first();
  const { payload } = await workspace.data(`${DELIVERIES}/payload/get`, {
    ...{ endpointId, deliveryId: String(headers["webhook-id"]) },
  });
  const { encodedPayload } = JSON.parse(String(body));
  expect(payload).toEqual(JSON.parse(Buffer.from(encodedPayload, "base64").toString()));
  const other = await createEndpoint(workspace, { url: receiver.url });
  const request = { endpointId: other, deliveryId: String(headers["webhook-id"]) };
  expect(await workspace.error(`${DELIVERIES}/payload/get`, request)).toMatchObject({ httpStatus: 404 });
});

test("a test event is signed and listed like any other, whatever the filters of the endpoint are", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const filters = { filterTypes: ["comment.add"], channels: ["globex"] };
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...filters });
  const { deliveryId } = await workspace.data(TEST, { endpointId });
  await eventually(async () => {
    const { deliveries } = await workspace.data(`${DELIVERIES}/get`, { endpointId });
    expect(deliveries).toMatchObject([{ deliveryId, event: "message.test", status: "delivered", documentId: null }]);
  });
  const { headers, body } = receiver.first();
  const { secret } = await workspace.data("/v2/workspace/advancedwebhook/endpoints/secret/get", { endpointId });
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    ...{ event: "message.test", actionType: "test", source: "webhook", webhookId: deliveryId, data: { endpointId } },
  });
});

test("a test of an endpoint that is disabled, unknown or of another workspace is rejected", async () => {
  const [workspace, other] = [await service.workspace(), await service.workspace()];
  const disabled = { endpointId: await createEndpoint(workspace, { disabled: true }) };
  const error = { status: "FAILED_PRECONDITION", details: { reason: "webhooks_disabled" } };
  expect(await workspace.error(TEST, disabled)).toMatchObject(error);
  const delivery = { ...disabled, deliveryId: "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c222" };
  expect(await workspace.error(`${DELIVERIES}/retry`, delivery)).toMatchObject(error);
  for (const endpointId of ["x", await createEndpoint(other)]) {
    expect(await workspace.error(TEST, { endpointId })).toMatchObject({ status: "NOT_FOUND" });
  }
});

test("unknown endpoints and deliveries, and those of another workspace, are NOT_FOUND", async () => {
  const receiver = await startReceiver();
  const [workspace, other] = [await service.workspace(), await service.workspace()];
  const [endpointId, foreign] = [
    await createEndpoint(workspace, { url: receiver.url }),
    await createEndpoint(other, { url: receiver.url }),
  ];
  const unknown = "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c222";
  for (const [path, request] of [
    ["get", { endpointId: foreign }],
    ["get", { endpointId: "x" }],
    ["retry", { endpointId: foreign, deliveryId: unknown }],
    ["retry", { endpointId, deliveryId: unknown }],
    ["retry", { endpointId, deliveryId: "x" }],
  ] as const) {
    expect(await workspace.call(`${DELIVERIES}/${path}`, request)).toMatchObject({ httpStatus: 404 });
  }
  expect(await workspace.call(`${DELIVERIES}/get`, { endpointId, iterator: "x" })).toMatchObject({ httpStatus: 400 });
});
