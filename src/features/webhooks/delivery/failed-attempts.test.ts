import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import {
  addReportedComment as comment,
  createEndpoint,
  letWebhooksPass,
  startReceiver,
} from "../../../../test/webhooks.ts";

const ENDPOINTS = "/v2/workspace/advancedwebhook/endpoints";
const ONE_EVENT = { filterTypes: ["comment_annotation.add"] };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const service = await startOwnTestService(({ limits }) => ({
  allowPrivateAddresses: true,
  limits: { ...limits, webhookPollMs: 100 },
}));
const { database } = service;

interface Message {
  status: string;
  failures: number;
  attempts: { httpStatus: number | null; response: string; error: string | null }[];
  waitMs: number | null;
}

/** Returns the messages of an endpoint, oldest first, with the time until the next attempt of each. */
function messagesTo(endpointId: string): Promise<Message[]> {
  return runSql<Message>(
    database,
    `select status, failures, attempts, next_at - floor(extract(epoch from statement_timestamp()) * 1000)::bigint
       as "waitMs"
     from webhook_messages where target = $1 order by created_at, id`,
    [endpointId],
  );
}

async function isDisabled(workspace: TestWorkspace, endpointId: string): Promise<boolean | undefined> {
  const { endpoints } = await workspace.data(`${ENDPOINTS}/get`, {});
  return endpoints.find(({ id }) => id === endpointId)?.disabled;
}

/** Waits until the first message has failed more often, or for good, and returns it. */
function failedAgain(endpointId: string, failures = 0): Promise<Message> {
  return eventually(async () => {
    const [message] = await messagesTo(endpointId);
    if (!message || message.failures <= failures) throw new Error("the message has not failed again yet");
    return message;
  });
}

/** Waits until the last failure of the endpoint is recorded, which follows that of the message. */
function untilFailing(endpointId: string): Promise<void> {
  return eventually(async () => {
    const failing = `select 1 as one from webhook_endpoints
      where id = $1 and last_failed_at > extract(epoch from clock_timestamp()) * 1000 - ${HOUR}`;
    expect(await runSql(database, failing, [endpointId])).toHaveLength(1);
  });
}

const respondWith = (httpStatus: number) => (response: ServerResponse) => void response.writeHead(httpStatus).end("No");

test("an endpoint whose secret cannot be read has failed attempts that say why", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  const secret = Buffer.from("encrypted with another key");
  await runSql(database, "update webhook_endpoints set secret = $2 where id = $1", [endpointId, secret]);
  await comment(workspace);
  const { attempts } = await failedAgain(endpointId);
  expect(attempts).toMatchObject([{ httpStatus: null, error: expect.stringContaining("SECRET_KEY has changed") }]);
  expect(receiver.requests).toEqual([]);
});

test("a message whose body cannot be built has failed attempts that say so", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  const advanced = JSON.stringify({ isEnabled: true, encryptData: true, publicKey: "unreadable" });
  await runSql(database, "update webhook_configs set advanced = $2 where workspace_id = $1", [workspace.id, advanced]);
  await comment(workspace);
  const { attempts } = await failedAgain(endpointId);
  expect(attempts).toMatchObject([{ httpStatus: null, error: expect.stringContaining("body could not be built") }]);
  expect(receiver.requests).toEqual([]);
});

test("failed attempts are repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then reported", async () => {
  const [failing, other] = [await startReceiver(respondWith(500)), await startReceiver()];
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: failing.url, ...ONE_EVENT });
  await createEndpoint(workspace, { url: other.url, filterTypes: ["message.attempt.exhausted"] });
  await comment(workspace);
  const delays = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
  let message = await failedAgain(endpointId);
  while (message.status === "pending") {
    const { failures, waitMs } = message;
    const delayMs = delays[failures - 1] ?? 0;
    expect(waitMs).toBeLessThanOrEqual(delayMs);
    if (failures > 1) expect(waitMs).toBeGreaterThan(delayMs - 4 * MINUTE);
    await letWebhooksPass(database, workspace, delayMs);
    message = await failedAgain(endpointId, failures);
  }
  expect(message).toMatchObject({ status: "failed", waitMs: null });
  expect(message.attempts).toHaveLength(8);
  expect(message.attempts[7]).toMatchObject({ httpStatus: 500, response: "No", error: null });
  const ids = new Set(failing.requests.map(({ headers }) => headers["webhook-id"]));
  expect([ids.size, failing.requests.length]).toEqual([1, 8]);
  const { body } = await eventually(() => other.first());
  const event = "comment_annotation.add";
  expect(JSON.parse(body)).toMatchObject({
    event: "message.attempt.exhausted",
    data: { webhookId: [...ids][0], endpointId, event },
  });
});

test("an endpoint is disabled after five days in which all attempts failed, and not before", async () => {
  const receiver = await startReceiver(respondWith(500));
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  await comment(workspace);
  let { failures } = await failedAgain(endpointId);
  // Its next attempt, which is due after 5 s, is the one after the first 20 hours.
  await runSql(database, "update webhook_messages set next_at = next_at + $2 where target = $1", [endpointId, HOUR]);
  await untilFailing(endpointId);
  for (let hours = 20; hours < 5 * 24; hours += 20) {
    await letWebhooksPass(database, workspace, 20 * HOUR);
    ({ failures } = await failedAgain(endpointId, failures));
    await untilFailing(endpointId);
    expect(await isDisabled(workspace, endpointId)).toBe(false);
  }
  await letWebhooksPass(database, workspace, 20 * HOUR);
  await eventually(async () => expect(await isDisabled(workspace, endpointId)).toBe(true));
  const attempts = receiver.requests.length;
  await letWebhooksPass(database, workspace, 24 * HOUR);
  await eventually(async () => expect(await messagesTo(endpointId)).toMatchObject([{ status: "canceled" }]));
  expect(receiver.requests).toHaveLength(attempts);
});

test("failures before and after five days without attempts do not disable an endpoint", async () => {
  const receiver = await startReceiver(respondWith(500));
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  await comment(workspace);
  const { failures } = await failedAgain(endpointId);
  await untilFailing(endpointId);
  await letWebhooksPass(database, workspace, 5 * 24 * HOUR);
  // A disabled endpoint would get no third attempt.
  const again = await failedAgain(endpointId, failures);
  await letWebhooksPass(database, workspace, HOUR);
  await failedAgain(endpointId, again.failures);
  expect(await isDisabled(workspace, endpointId)).toBe(false);
});

test("one success ends the days of failures", async () => {
  let httpStatus = 500;
  const receiver = await startReceiver((response) => respondWith(httpStatus)(response));
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  await comment(workspace);
  await failedAgain(endpointId);
  httpStatus = 200;
  await letWebhooksPass(database, workspace, 5 * 24 * HOUR);
  await eventually(async () => expect(await messagesTo(endpointId)).toMatchObject([{ status: "delivered" }]));
  httpStatus = 500;
  await comment(workspace);
  await eventually(async () => expect((await messagesTo(endpointId))[1]?.failures).toBeGreaterThan(0));
  expect(await isDisabled(workspace, endpointId)).toBe(false);
});

test("an endpoint that fails for a day gets its messages once it recovers, and delays no other", async () => {
  let httpStatus = 500;
  const failing = await startReceiver((response) => respondWith(httpStatus)(response));
  const other = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: failing.url, ...ONE_EVENT });
  await createEndpoint(workspace, { url: other.url, ...ONE_EVENT });
  await comment(workspace);
  let { failures } = await failedAgain(endpointId);
  // The seventh attempt is made 17.6 hours after the first one, and the eighth after 27.6 hours.
  for (const delayMs of [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR]) {
    await comment(workspace);
    await eventually(() => expect(other.requests).toHaveLength(failures + 1));
    await letWebhooksPass(database, workspace, delayMs);
    failures = (await failedAgain(endpointId, failures)).failures;
  }
  httpStatus = 204;
  await letWebhooksPass(database, workspace, 10 * HOUR);
  await eventually(async () => {
    expect((await messagesTo(endpointId)).map(({ status }) => status)).toEqual(Array(7).fill("delivered"));
  });
  expect(await isDisabled(workspace, endpointId)).toBe(false);
});

test("a redirect is a failure and is not followed", async () => {
  const other = await startReceiver();
  const receiver = await startReceiver((response) => void response.writeHead(307, { location: other.url }).end());
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  await comment(workspace);
  await failedAgain(endpointId);
  expect((await messagesTo(endpointId))[0]?.attempts[0]).toMatchObject({ httpStatus: 307 });
  expect(other.requests).toEqual([]);
});

test("410 and Retry-After change neither the time of the next attempt nor the endpoint", async () => {
  const receiver = await startReceiver((response) => void response.writeHead(410, { "retry-after": "3600" }).end());
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  await comment(workspace);
  const { status, attempts, waitMs } = await failedAgain(endpointId);
  expect({ status, attempts }).toMatchObject({ status: "pending", attempts: [{ httpStatus: 410 }] });
  expect(waitMs).toBeLessThanOrEqual(5_000);
  expect(await isDisabled(workspace, endpointId)).toBe(false);
});

test("an endpoint that hangs delays no other", async () => {
  let open = 0;
  let maxOpen = 0;
  const hanging = await startReceiver((response) => {
    maxOpen = Math.max(maxOpen, ++open);
    response.on("close", () => open--);
  });
  const fast = await startReceiver();
  const workspace = await service.workspace();
  await createEndpoint(workspace, { url: hanging.url, ...ONE_EVENT });
  await createEndpoint(workspace, { url: fast.url, ...ONE_EVENT });
  for (let count = 1; count <= 20; count++) {
    await comment(workspace, { documentId: `contract-${count}` });
    await eventually(() => expect(fast.requests).toHaveLength(count));
  }
  // At most 8 requests are in progress. The receiver may learn later than the sender that some have ended.
  await eventually(() => expect(maxOpen).toBeGreaterThan(0));
  expect(maxOpen).toBeLessThanOrEqual(16);
});

test("a disabled or deleted endpoint gets no further attempts", async () => {
  const receiver = await startReceiver(respondWith(500));
  const workspace = await service.workspace();
  const ids = [];
  for (const _ of [1, 2]) ids.push(await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT }));
  const [disabled = "", deleted = ""] = ids;
  await comment(workspace);
  for (const id of ids) await failedAgain(id);
  await workspace.data(`${ENDPOINTS}/update`, { endpointId: disabled, disabled: true });
  await workspace.data(`${ENDPOINTS}/delete`, { endpointId: deleted });
  for (const id of ids) {
    await eventually(async () => expect(await messagesTo(id)).toMatchObject([{ status: "canceled", waitMs: null }]));
  }
});

test("messages whose process was killed before it sent them are sent by another one", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  const now = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";
  await runSql(database, `insert into webhook_leases values ($1, $2, ${now} + 60000)`, [endpointId, randomUUID()]);
  await comment(workspace);
  await eventually(async () =>
    expect(await messagesTo(endpointId)).toMatchObject([{ status: "pending", failures: 0 }]),
  );
  expect(receiver.requests).toEqual([]);
  await runSql(database, `update webhook_leases set ends_at = ${now} - 1 where target = $1`, [endpointId]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
});
