import { expect, test } from "vitest";
import { activity, addActivities, SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { setDisabled } from "../../../test/organizations.ts";
import { grant } from "../../../test/permissions.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const FEED = "/v2/activities/get";
const { organizationId } = SCOPE;
const service = await startTestService();
type Request = { organizationId?: string; documentId?: string; pageSize?: number; pageToken?: string } & object;

/** Creates a workspace with three activities in each of the documents, of which "open" is the only one for members. */
async function withFeed(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  for (const name of ["1", "2", "3"]) {
    for (const documentId of ["open", "closed", "other"]) {
      const record = { id: `${documentId}-${name}`, targetEntityId: "clause", actionType: `signed.${name}` };
      await addActivities(workspace, [activity({ ...record, displayMessageTemplate: "Signed" })], { documentId });
    }
  }
  await addActivities(workspace, ["elsewhere"], { organizationId: "globex", documentId: "open" });
  const organizationIds = [organizationId, "globex"];
  for (const each of organizationIds) {
    const request = { organizationId: each, documentIds: ["open"], accessType: "organizationPrivate" as const };
    await workspace.data("/v2/organizations/documents/access/update", request);
  }
  const restricted = { organizationId, documentIds: ["closed", "other"], accessType: "restricted" as const };
  await workspace.data("/v2/organizations/documents/access/update", restricted);
  return workspace;
}

/** Reads the IDs of all pages as a user. Expects each page but the last one to be full. */
async function readFeed(token: string, { pageSize = 2, ...request }: Request = {}): Promise<string[]> {
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = { organizationId, pageSize, ...request, ...(pageToken && { pageToken }) };
    const { result } = Object((await callWith(token, `${service.address}${FEED}`, page)).body);
    ids.push(...result.data.map(({ id }: { id: string }) => id));
    pageToken = result.pageToken;
    expect(pageToken === undefined || result.data.length === pageSize).toBe(true);
  } while (pageToken !== undefined);
  return ids;
}

const OPEN = ["open-3", "open-2", "open-1"];

test("a member reads the activities of the documents that the member may read, in full pages", async () => {
  const workspace = await withFeed();
  const token = await tokenFor(workspace, "grace");
  for (const pageSize of [1, 2, 3, 50]) expect(await readFeed(token, { pageSize })).toEqual(OPEN);
  await grant(workspace, "grace", "document other", "viewer");
  expect(await readFeed(token)).toEqual(["other-3", "open-3", "other-2", "open-2", "other-1", "open-1"]);
});

test.each([
  ["a list of types", { actionTypes: ["signed.2", "signed.3"] }, ["open-3", "open-2"]],
  ["several filters", { targetEntityId: "clause", actionTypes: ["signed.2"] }, ["open-2"]],
  ["words", { query: "signed" }, OPEN],
  ["IDs", { activityIds: ["open-1", "closed-1", "elsewhere"] }, ["open-1"]],
  ["an earlier time", { to: Date.now() + 3_600_000 }, OPEN],
])("no activity of another document is found by %s", async (_, filters, expected) => {
  const workspace = await withFeed();
  expect(await readFeed(await tokenFor(workspace, "grace"), filters)).toEqual(expected);
});

test("a user without a permission on the organization reads nothing of it, nor of another organization", async () => {
  const workspace = await withFeed();
  const guest = await tokenFor(workspace, "guest", { resources: [{ type: "organization", id: "globex" }] });
  expect(await readFeed(guest)).toEqual([]);
  expect(await readFeed(guest, { organizationId: "globex" })).toEqual(["elsewhere"]);
  const member = await tokenFor(workspace, "grace");
  expect(await readFeed(member, { organizationId: "globex" })).toEqual([]);
  const request = { organizationId, documentId: "closed" };
  const { body } = await callWith(member, `${service.address}${FEED}`, request);
  expect(body).toMatchObject({ error: { details: { reason: "access_denied" } } });
});

test("a feed that has been read in part goes on without a document that was closed meanwhile", async () => {
  const workspace = await withFeed();
  await grant(workspace, "grace", "document other", "viewer");
  const token = await tokenFor(workspace, "grace");
  const read = async (request: object) =>
    Object((await callWith(token, `${service.address}${FEED}`, { organizationId, pageSize: 2, ...request })).body)
      .result;
  const { data, pageToken } = await read({});
  expect(data.map(({ id }: { id: string }) => id)).toEqual(["other-3", "open-3"]);
  const disabled = { organizationId, documentIds: ["other"], disabled: true };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", disabled);
  const next = await read({ pageToken });
  expect(next.data.map(({ id }: { id: string }) => id)).toEqual(["open-2", "open-1"]);
  await setDisabled(workspace, true);
  const response = await callWith(token, `${service.address}${FEED}`, { organizationId });
  expect(response).toMatchObject({ body: { error: { details: { reason: "organization_disabled" } } } });
});
