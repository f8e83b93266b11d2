import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { addReportedComment as comment, createEndpoint, startReceiver } from "../../../../test/webhooks.ts";
import { selectStoredSecrets } from "../endpoints/webhook-endpoint-queries.ts";

const ENDPOINTS = "/v2/workspace/advancedwebhook/endpoints";
const ONE_EVENT = { filterTypes: ["comment_annotation.add"] };
const UNREADABLE = Buffer.from("encrypted with another key");
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));
const { database } = service;

/** Waits for the first request, and expects that it has one signature, by this secret. */
async function expectSignedOnlyWith(secret: string, receiver: Awaited<ReturnType<typeof startReceiver>>) {
  await eventually(() => expect(receiver.requests).not.toEqual([]));
  const { headers, body } = receiver.first();
  expect(String(headers["webhook-signature"]).split(" ")).toHaveLength(1);
  expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
}

test("after an unreadable secret is rotated, messages are signed with the new one alone", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  await runSql(database, "update webhook_endpoints set secret = $2 where id = $1", [endpointId, UNREADABLE]);
  const { secret } = await workspace.data(`${ENDPOINTS}/secret/rotate`, { endpointId });
  await comment(workspace);
  await expectSignedOnlyWith(secret, receiver);
  const stored = (await selectStoredSecrets(database)).filter(({ id }) => id === endpointId);
  expect(stored).toHaveLength(1);
});

test("an unreadable previous secret is left out of the signatures", async () => {
  const receiver = await startReceiver();
  const workspace = await service.workspace();
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  const { secret } = await workspace.data(`${ENDPOINTS}/secret/rotate`, { endpointId });
  await runSql(database, "update webhook_endpoints set previous_secret = $2 where id = $1", [endpointId, UNREADABLE]);
  await comment(workspace);
  await expectSignedOnlyWith(secret, receiver);
});
