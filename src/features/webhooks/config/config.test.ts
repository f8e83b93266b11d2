import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import type { Api } from "../../../operations.ts";
import { restartEventLogs } from "../../event-log/event-log-queries.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const GET = "/v2/workspace/webhookconfig/get";
const UPDATE = "/v2/workspace/webhookconfig/update";
const GET_ADVANCED = "/v2/workspace/advancedwebhookconfig/get";
const UPDATE_ADVANCED = "/v2/workspace/advancedwebhookconfig/update";
const service = await startTestService();

const EMPTY = { authToken: "", rawNotificationUrl: "", processedNotificationUrl: "" };
const ADVANCED = {
  isEnabled: false,
  encryptData: false,
  encodeData: false,
  publicKey: "",
  enableDataProtection: false,
};
const { publicKey: RSA } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const [SPKI, PKCS1] = (["spki", "pkcs1"] as const).map((type) =>
  RSA.export({ type, format: "der" }).toString("base64"),
) as [string, string];
const DEFAULT_TRIGGERS = {
  comment: {
    ...{ newlyAdded: true, added: true, updated: true, deleted: true, statusChanged: true, assigned: true },
    ...{ priorityChanged: true, reactionAdded: true, reactionDeleted: true, customListChanged: true },
    ...{ subscribed: true, unsubscribed: true, accepted: true, rejected: true, approved: true },
    ...{ accessModeChanged: true, suggestionAccepted: false, suggestionRejected: false },
  },
  crdt: { updateData: false },
  recorder: { done: false },
};

type Config = Api[typeof UPDATE]["request"]["webhookServiceConfig"];

function update(workspace: TestWorkspace, webhookServiceConfig: Config, useWebhookService?: boolean) {
  return workspace.data(UPDATE, { useWebhookService, webhookServiceConfig });
}

/** Adds a comment and returns the number of events in the log, without listening to it. */
async function countEvents(workspace: TestWorkspace): Promise<number> {
  await workspace.data("/v2/commentannotations/add", {
    ...SCOPE,
    commentAnnotations: [{ commentData: [{ commentText: "Hello", from: { userId: "ada" } }] }],
  });
  const key = organizationKey(workspace.id, SCOPE.organizationId);
  const [row] = await runSql<{ count: number }>(
    service.database,
    "select count(*)::int as count from events where organization_key = $1",
    [key],
  );
  return row?.count ?? 0;
}

test("before the first update both kinds of webhooks are off and empty", async () => {
  const workspace = await service.workspace();
  expect(await workspace.data(GET, {})).toEqual({ useWebhookService: false, webhookServiceConfig: EMPTY });
  expect(await workspace.data(GET_ADVANCED, {})).toEqual(ADVANCED);
});

test("an update of basic webhooks merges field by field and returns what get returns", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  const first = { rawNotificationUrl: "https://user:secret@example.com/raw?a=b", encodeData: true };
  expect(await update(workspace, first)).toEqual({
    useWebhookService: false,
    webhookServiceConfig: { ...EMPTY, ...first },
  });
  const second = { authToken: "YWRhOnB3", enableDataProtection: false, publicKey: PKCS1, encryptData: true };
  const response = await update(workspace, second);
  expect(response.webhookServiceConfig).toEqual({ ...EMPTY, ...first, ...second });
  expect(await workspace.data(GET, {})).toEqual(response);
  await update(workspace, { rawNotificationUrl: "", authToken: "" });
  expect(await workspace.data(GET, {})).toMatchObject({
    webhookServiceConfig: { rawNotificationUrl: "", authToken: "", encodeData: true },
  });
  expect(await other.data(GET, {})).toEqual({ useWebhookService: false, webhookServiceConfig: EMPTY });
});

test("enabling basic webhooks without stored triggers turns on those of comments but not suggestions", async () => {
  const workspace = await service.workspace();
  const { webhookServiceConfig } = await workspace.data(UPDATE, { useWebhookService: true });
  expect(webhookServiceConfig.triggers).toEqual(DEFAULT_TRIGGERS);
  expect((await workspace.data(GET, {})).webhookServiceConfig.triggers).toEqual(DEFAULT_TRIGGERS);
});

test("enabling basic webhooks keeps the stored triggers", async () => {
  const workspace = await service.workspace();
  await update(workspace, { triggers: { comment: { added: true } } });
  const { webhookServiceConfig } = await workspace.data(UPDATE, { useWebhookService: true });
  expect(webhookServiceConfig.triggers).toEqual({ comment: { added: true } });
});

test("triggers merge by name, and flat names of events are the same switches", async () => {
  const workspace = await service.workspace();
  await update(workspace, { triggers: { comment: { added: true, updated: true }, custom: true } });
  const flat = { "comment.add": false, "comment_annotation.assign": true, "crdt.update_data": true };
  const { webhookServiceConfig } = await update(workspace, { triggers: flat });
  expect(webhookServiceConfig.triggers).toEqual({
    comment: { added: false, updated: true, assigned: true },
    crdt: { updateData: true },
    custom: true,
  });
});

test("concurrent updates of basic webhooks are all stored", async () => {
  const workspace = await service.workspace();
  const names = Array.from({ length: 20 }, (_, index) => `trigger-${index}`);
  await Promise.all([
    ...names.map((name) => update(workspace, { triggers: { [name]: true } })),
    update(workspace, { authToken: "token" }),
    workspace.data(UPDATE_ADVANCED, { isEnabled: true }),
  ]);
  const { triggers, authToken } = (await workspace.data(GET, {})).webhookServiceConfig;
  expect(Object.keys(triggers ?? {}).toSorted()).toEqual(names.toSorted());
  expect(authToken).toBe("token");
  expect(await workspace.data(GET_ADVANCED, {})).toMatchObject({ isEnabled: true });
});

test("the first update of advanced webhooks must enable them, and later ones need not", async () => {
  const workspace = await service.workspace();
  for (const changes of [{ encodeData: true }, { isEnabled: false }]) {
    expect(await workspace.error(UPDATE_ADVANCED, changes)).toMatchObject({
      status: "FAILED_PRECONDITION",
      details: { reason: "webhooks_disabled" },
    });
  }
  expect(await workspace.data(GET_ADVANCED, {})).toEqual(ADVANCED);
  expect(await workspace.data(UPDATE_ADVANCED, { isEnabled: true })).toEqual({ ...ADVANCED, isEnabled: true });
  const later = { encodeData: true, publicKey: SPKI, encryptData: true, enableDataProtection: true };
  expect(await workspace.data(UPDATE_ADVANCED, later)).toEqual({ isEnabled: true, ...later });
  expect(await workspace.data(UPDATE_ADVANCED, { isEnabled: false })).toEqual({ isEnabled: false, ...later });
  expect(await workspace.data(GET_ADVANCED, {})).toEqual({ isEnabled: false, ...later });
});

const EC = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "der" });
const SHORT = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ type: "spki", format: "der" });

test.each<[string, string, object, RegExp]>([
  ["nothing", UPDATE, {}, /^data must have at least one of useWebhookService, webhookServiceConfig/],
  ["an unknown field", UPDATE, { webhookServiceConfig: { url: "" } }, /^data\.webhookServiceConfig\.url is not/],
  ["a URL without a scheme", UPDATE, raw("example.com"), /rawNotificationUrl must be an https URL/],
  ["a URL that browsers would mend", UPDATE, raw("https:example.com"), /rawNotificationUrl must be an https URL/],
  ["a URL after a blank", UPDATE, raw(" https://example.com"), /rawNotificationUrl must be an https URL/],
  ["another scheme", UPDATE, raw("ftp://example.com"), /rawNotificationUrl must be an https URL/],
  ["http", UPDATE, raw("http://example.com"), /must be an https URL, unless ALLOW_PRIVATE_ADDRESSES is set$/],
  ["a line break in the token", UPDATE, { webhookServiceConfig: { authToken: "a\r\nb" } }, /authToken must have only/],
  ["a number as a trigger", UPDATE, { webhookServiceConfig: { triggers: { comment: { a: 1 } } } }, /boolean$/],
  ["encryption without a key", UPDATE, { webhookServiceConfig: { encryptData: true } }, /publicKey is required to use/],
  ["a key with PEM lines", UPDATE, key("-----BEGIN PUBLIC KEY-----"), /publicKey must be the base64 of an RSA/],
  ["a key that is not an RSA key", UPDATE, key(EC.toString("base64")), /publicKey must be the base64 of an RSA/],
  ["a short key", UPDATE, key(SHORT.toString("base64")), /publicKey must be the base64 of an RSA/],
  ["nothing", UPDATE_ADVANCED, {}, /^data must have at least one of isEnabled, encryptData/],
  ["encryption without a key", UPDATE_ADVANCED, { isEnabled: true, encryptData: true }, /^data\.publicKey is required/],
  ["no key", UPDATE_ADVANCED, { isEnabled: true, publicKey: "abc" }, /^data\.publicKey must be the base64/],
])("%s in %s is INVALID_ARGUMENT and changes nothing", async (_title, path, request, message) => {
  const workspace = await service.workspace();
  expect(await workspace.error(path, request)).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(message),
  });
  expect(await workspace.data(GET, {})).toEqual({ useWebhookService: false, webhookServiceConfig: EMPTY });
  expect(await workspace.data(GET_ADVANCED, {})).toEqual(ADVANCED);
});

function raw(rawNotificationUrl: string): object {
  return { webhookServiceConfig: { rawNotificationUrl } };
}

function key(publicKey: string): object {
  return { webhookServiceConfig: { publicKey } };
}

test("the key cannot be removed while bodies are encrypted", async () => {
  const workspace = await service.workspace();
  await update(workspace, { publicKey: SPKI, encryptData: true });
  expect(await workspace.error(UPDATE, key(""))).toMatchObject({ status: "INVALID_ARGUMENT" });
  await update(workspace, { publicKey: "", encryptData: false });
});

test("http URLs are accepted where private addresses are allowed", async () => {
  const permissive = await startOwnTestService(() => ({ allowPrivateAddresses: true }));
  const config = { rawNotificationUrl: "http://127.0.0.1:8080/hook" };
  expect(await update(await permissive.workspace(), config)).toMatchObject({ webhookServiceConfig: config });
});

test("the auth token is not in the database in plain text, and cannot be read in another workspace's row", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  await update(workspace, { authToken: "plain-text-of-the-token" });
  await update(other, { authToken: "other" });
  const [{ row } = { row: "" }] = await runSql<{ row: string }>(
    service.database,
    "select c::text as row from webhook_configs c where workspace_id = $1",
    [workspace.id],
  );
  expect(row).toContain("rawNotificationUrl");
  for (const text of ["plain-text-of-the-token", Buffer.from("plain-text-of-the-token").toString("hex")]) {
    expect(row).not.toContain(text);
  }
  await runSql(
    service.database,
    `update webhook_configs set auth_token = (select auth_token from webhook_configs where workspace_id = $2)
     where workspace_id = $1`,
    [other.id, workspace.id],
  );
  expect(await other.error(GET, {})).toMatchObject({ details: { reason: "secret_unreadable" } });
});

test.each([
  [UPDATE, { useWebhookService: true }, { useWebhookService: false }],
  [UPDATE_ADVANCED, { isEnabled: true }, { isEnabled: false }],
] as const)("%s: changes are written to the event log while webhooks are enabled", async (path, on, off) => {
  const workspace = await service.workspace();
  expect(await countEvents(workspace)).toBe(0);
  await workspace.data(path, on);
  expect(await countEvents(workspace)).toBe(1);
  await service.database.transaction(restartEventLogs);
  await workspace.data("/v2/workspace/activityconfig/update", { activityServiceConfig: { immutable: true } });
  expect(await countEvents(workspace), "after a restore").toBe(2);
  await workspace.data(path, off);
  await runSql(service.database, "update workspaces set events_until = 1 where id = $1 and events_until < $2", [
    workspace.id,
    Date.now() + service.config.eventRetentionMs,
  ]);
  await workspace.data("/v2/workspace/activityconfig/update", { activityServiceConfig: { immutable: false } });
  expect(await countEvents(workspace), "once the retention is over").toBe(2);
});
