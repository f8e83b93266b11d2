import { expect, test } from "vitest";
import { startOwnTestService, startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { createEndpoint } from "../../../../test/webhooks.ts";
import { selectStoredSecrets } from "./webhook-endpoint-queries.ts";

const ENDPOINTS = "/v2/workspace/advancedwebhook/endpoints";
const CREATE = `${ENDPOINTS}/create`;
const GET = `${ENDPOINTS}/get`;
const UPDATE = `${ENDPOINTS}/update`;
const DELETE = `${ENDPOINTS}/delete`;
const GET_SECRET = `${ENDPOINTS}/secret/get`;
const ROTATE_SECRET = `${ENDPOINTS}/secret/rotate`;
const URL = "https://acme.example/hooks";
const UNKNOWN = "0199f7d2-3b7a-7cc4-8d2e-9f1a4be0c111";
const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/;
const UNSET = { description: null, filterTypes: null, channels: null, rateLimit: null, uid: null, metadata: null };
const service = await startTestService();

async function enabledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  return workspace;
}

test("an endpoint with only a URL is enabled and everything else is null", async () => {
  const workspace = await enabledWorkspace();
  const endpoint = await workspace.data(CREATE, { url: URL });
  const times = { createdAt: ISO_TIME, updatedAt: ISO_TIME };
  expect(endpoint).toEqual({ id: expect.any(String), url: URL, disabled: false, ...UNSET, ...times });
  expect(await workspace.data(GET, {})).toEqual({
    endpoints: [endpoint],
    ...{ iterator: null, prevIterator: null, done: true },
  });
});

test("an update replaces the fields that are sent, null removes one, and get returns the result", async () => {
  const workspace = await enabledWorkspace();
  const given = {
    url: "https://user:secret@acme.example/hooks",
    description: "Billing",
    filterTypes: ["comment.add"],
    channels: ["acme", "contract-7"],
    disabled: true,
    rateLimit: 5,
    uid: "billing",
    metadata: { team: "money" },
  };
  const created = await workspace.data(CREATE, given);
  expect(created).toMatchObject(given);
  const changes = { url: "https://acme.example/other", disabled: false, channels: null, rateLimit: null };
  const updated = await workspace.data(UPDATE, { endpointId: created.id, ...changes });
  expect(updated).toEqual({ ...created, ...changes, updatedAt: ISO_TIME });
  expect((await workspace.data(GET, {})).endpoints).toEqual([updated]);
});

test("endpoints are listed oldest first in pages, forwards and backwards", async () => {
  const workspace = await enabledWorkspace();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.push(await createEndpoint(workspace));
  const read = async (iterator?: string | null) => {
    const page = await workspace.data(GET, { limit: 2, ...(iterator && { iterator }) });
    return { ...page, ids: page.endpoints.map(({ id }) => id) };
  };
  const first = await read();
  expect(first).toMatchObject({ ids: ids.slice(0, 2), prevIterator: null, done: false });
  const second = await read(first.iterator);
  expect(second).toMatchObject({ ids: ids.slice(2, 4), done: false });
  const third = await read(second.iterator);
  expect(third).toMatchObject({ ids: ids.slice(4), iterator: null, done: true });
  const back = await read(third.prevIterator);
  expect(back).toMatchObject({ ids: ids.slice(2, 4), done: false });
  expect(await read(back.prevIterator)).toMatchObject({ ids: ids.slice(0, 2), prevIterator: null, done: true });
  expect(await workspace.error(GET, { iterator: "-other" })).toMatchObject({ status: "INVALID_ARGUMENT" });
});

test("a used uid is ALREADY_EXISTS in its workspace only", async () => {
  const [workspace, other] = await Promise.all([enabledWorkspace(), enabledWorkspace()]);
  await workspace.data(CREATE, { url: URL, uid: "billing" });
  expect(await workspace.error(CREATE, { url: URL, uid: "billing" })).toMatchObject({ status: "ALREADY_EXISTS" });
  await other.data(CREATE, { url: URL, uid: "billing" });
  expect((await workspace.data(GET, {})).endpoints).toHaveLength(1);
});

test("the secret is that of one endpoint, is encrypted at rest, and is replaced by a rotation", async () => {
  const workspace = await enabledWorkspace();
  const endpointId = await createEndpoint(workspace);
  const { secret } = await workspace.data(GET_SECRET, { endpointId });
  expect(secret).toMatch(SECRET);
  const [row] = await runSql<{ secret: Buffer }>(
    service.database,
    "select secret from webhook_endpoints where id = $1",
    [endpointId],
  );
  expect(row?.secret.toString("latin1")).not.toContain(secret);
  const rotated = await workspace.data(ROTATE_SECRET, { endpointId });
  expect(rotated).toEqual({ endpointId, secret: expect.stringMatching(SECRET) });
  expect(rotated.secret).not.toBe(secret);
  expect(await workspace.data(GET_SECRET, { endpointId })).toEqual(rotated);
});

test("a previous secret is among the stored ones until it ends", async () => {
  const workspace = await enabledWorkspace();
  const endpointId = await createEndpoint(workspace);
  const storedSecrets = async () => (await selectStoredSecrets(service.database)).filter(({ id }) => id === endpointId);
  await workspace.data(ROTATE_SECRET, { endpointId });
  expect(await storedSecrets()).toHaveLength(2);
  await runSql(service.database, "update webhook_endpoints set previous_until = 1 where id = $1", [endpointId]);
  expect(await storedSecrets()).toHaveLength(1);
});

test("a deleted endpoint is gone with its secret", async () => {
  const workspace = await enabledWorkspace();
  const endpointId = await createEndpoint(workspace);
  expect(await workspace.data(DELETE, { endpointId })).toEqual({ endpointId, deleted: true });
  expect((await workspace.data(GET, {})).endpoints).toEqual([]);
  expect(await workspace.error(GET_SECRET, { endpointId })).toMatchObject({ status: "NOT_FOUND" });
  expect(await workspace.error(DELETE, { endpointId })).toMatchObject({ status: "NOT_FOUND" });
});

test("an endpoint ID in capitals is returned and audited as it is stored", async () => {
  const workspace = await enabledWorkspace();
  const id = await createEndpoint(workspace);
  const endpointId = id.toUpperCase();
  expect(await workspace.data(UPDATE, { endpointId, disabled: true })).toMatchObject({ id });
  for (const path of [ROTATE_SECRET, GET_SECRET, DELETE] as const) {
    expect(await workspace.data(path, { endpointId })).toMatchObject({ endpointId: id });
  }
  const entries = await workspace.data("/v2/workspace/audit/get", {});
  const audited = entries.map(({ target }) => Object(target).endpointId).slice(0, 3);
  expect(audited).toEqual([id, id, id]);
});

test.each([UPDATE, DELETE, GET_SECRET, ROTATE_SECRET])(
  "%s of an unknown endpoint or one of another workspace is NOT_FOUND",
  async (path) => {
    const [workspace, other] = await Promise.all([enabledWorkspace(), enabledWorkspace()]);
    for (const endpointId of ["unknown", UNKNOWN, await createEndpoint(other)]) {
      const request = path === UPDATE ? { endpointId, disabled: true } : { endpointId };
      expect(await workspace.error(path, request)).toMatchObject({ status: "NOT_FOUND" });
    }
    expect((await other.data(GET, {})).endpoints).toMatchObject([{ disabled: false }]);
  },
);

test.each([CREATE, GET, UPDATE, DELETE, GET_SECRET, ROTATE_SECRET])(
  "%s is FAILED_PRECONDITION unless advanced webhooks are enabled",
  async (path) => {
    const workspace = await enabledWorkspace();
    const endpointId = await createEndpoint(workspace);
    await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: false });
    const requests: Record<string, object> = {
      [CREATE]: { url: URL },
      [GET]: {},
      [UPDATE]: { endpointId, disabled: true },
    };
    expect(await workspace.error(path, requests[path] ?? { endpointId })).toMatchObject({
      status: "FAILED_PRECONDITION",
      details: { reason: "webhooks_disabled" },
    });
  },
);

test.each([
  ["an http URL", { url: "http://acme.example/hooks" }],
  ["no URL", { url: "acme" }],
  ["an empty list of events", { filterTypes: [] }],
  ["an unknown event", { filterTypes: ["comment.added"] }],
  ["an empty list of channels", { channels: [] }],
  ["a rate limit of 0", { rateLimit: 0 }],
  ["metadata with a number", { metadata: { team: 1 } }],
])("%s is INVALID_ARGUMENT in create and update", async (_title, fields) => {
  const workspace = await enabledWorkspace();
  const endpointId = await createEndpoint(workspace);
  expect(await workspace.error(CREATE, { url: URL, ...fields })).toMatchObject({ status: "INVALID_ARGUMENT" });
  expect(await workspace.error(UPDATE, { endpointId, ...fields })).toMatchObject({ status: "INVALID_ARGUMENT" });
  expect((await workspace.data(GET, {})).endpoints).toMatchObject([{ url: URL, ...UNSET }]);
});

test("an update without a field to change is INVALID_ARGUMENT", async () => {
  const workspace = await enabledWorkspace();
  const endpointId = await createEndpoint(workspace);
  expect(await workspace.error(UPDATE, { endpointId })).toMatchObject({ status: "INVALID_ARGUMENT" });
});

test("an http URL is accepted with ALLOW_PRIVATE_ADDRESSES", async () => {
  const lenient = await startOwnTestService(() => ({ allowPrivateAddresses: true }));
  const workspace = await lenient.workspace();
  expect(await createEndpoint(workspace, { url: "http://127.0.0.1:8080/hooks" })).toEqual(expect.any(String));
});
