import { expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { startListener } from "../../../../test/outgoing.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { addReportedComment, createEndpoint } from "../../../../test/webhooks.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const PATH = "/v2/workspace/advancedwebhook";
const service = await startOwnTestService(({ limits }) => ({ limits: { ...limits, webhookPollMs: 100 } }));
const error = "The address is private, and ALLOW_PRIVATE_ADDRESSES is not set.";

/** Waits until the first delivery to an endpoint has so many attempts, all of which were blocked. Returns its ID. */
function untilBlocked(workspace: TestWorkspace, endpointId: string, attempts = 1): Promise<string> {
  return eventually(async () => {
    const [delivery] = (await workspace.data(`${PATH}/deliveries/get`, { endpointId })).deliveries;
    const results =
      delivery?.attempts.map(({ httpStatus, response, error }) => ({ httpStatus, response, error })) ?? [];
    expect(results.length).toBeGreaterThanOrEqual(attempts);
    for (const result of results) expect(result).toEqual({ httpStatus: null, response: "", error });
    return delivery?.deliveryId ?? "";
  });
}

test("a test message to a private address is recorded as failed, however the host is written", async () => {
  const listener = await startListener();
  const workspace = await service.workspace();
  const endpointIds = [];
  for (const host of ["localhost", "0x7f.1", "[::1]", "[::]", "[::ffff:7f00:1]"]) {
    const endpointId = await createEndpoint(workspace, { url: `https://${host}:${listener.port}/hooks` });
    await workspace.data(`${PATH}/endpoints/test`, { endpointId });
    endpointIds.push(endpointId);
  }
  for (const endpointId of endpointIds) await untilBlocked(workspace, endpointId);
  expect(listener.connections).toBe(0);
});

test("an event to a private address is recorded as failed, also when it is sent again", async () => {
  const listener = await startListener();
  const workspace = await service.workspace();
  const url = `https://localhost:${listener.port}/hooks`;
  const endpointId = await createEndpoint(workspace, { url, filterTypes: ["comment_annotation.add"] });
  await addReportedComment(workspace);
  const deliveryId = await untilBlocked(workspace, endpointId);
  await workspace.data(`${PATH}/deliveries/retry`, { endpointId, deliveryId });
  await untilBlocked(workspace, endpointId, 2);
  expect(listener.connections).toBe(0);
});

test("an http URL from a time when private addresses were allowed gets no connection", async () => {
  const listener = await startListener();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace);
  const settings = JSON.stringify({ url: `http://127.0.0.1:${listener.port}/hooks` });
  await runSql(service.database, "update webhook_endpoints set settings = $2 where id = $1", [endpointId, settings]);
  await workspace.data(`${PATH}/endpoints/test`, { endpointId });
  await untilBlocked(workspace, endpointId);
  expect(listener.connections).toBe(0);
});

test("the URLs of basic webhooks get no connection on private addresses", async () => {
  const listener = await startListener();
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/webhookconfig/update", {
    useWebhookService: true,
    webhookServiceConfig: {
      rawNotificationUrl: `https://[::1]:${listener.port}/raw`,
      processedNotificationUrl: `https://[::ffff:7f00:1]:${listener.port}/processed`,
    },
  });
  await addReportedComment(workspace);
  await eventually(async () => {
    const key = organizationKey(workspace.id, SCOPE.organizationId);
    const sent = "select target, attempts from webhook_messages where organization_key = $1";
    const messages = await runSql<{ target: string; attempts: unknown[] }>(service.database, sent, [key]);
    expect(new Set(messages.map(({ target }) => target)).size).toBe(2);
    for (const { attempts } of messages) expect(attempts[0]).toMatchObject({ httpStatus: null, response: "", error });
  });
  expect(listener.connections).toBe(0);
});
