import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../../../../test/crdt.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { untilWaiting } from "../../../../test/lock-waits.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { openSyncedPage } from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { storedOrganization } from "../../tenancy/organization-scope.ts";
import { reportChanges } from "./crdt-report-queries.ts";

const service = await startOwnTestService((config) => ({ limits: { ...config.limits, crdtReportMs: 0 } }));
const EVENTS = "/v2/events/get";
const { editorId } = COLLABORATIVE_DOCUMENT;

/** Returns a function that reads the events of collaborative documents since its last call. */
async function getReader(workspace: TestWorkspace) {
  let { cursor } = await workspace.data(EVENTS, SCOPE);
  return async () => {
    const response = await workspace.data(EVENTS, { ...SCOPE, cursor, kinds: ["crdt.update_data"] });
    cursor = response.cursor;
    return response.events;
  };
}

function unreported(workspace: TestWorkspace): Promise<{ id: string }[]> {
  const key = organizationKey(workspace.id, SCOPE.organizationId);
  return runSql(service.database, "select editor_id as id from crdt_unreported_changes where organization_key = $1", [
    key,
  ]);
}

test("a collaborative document that is added, replaced or typed in is an event with its content", async () => {
  const workspace = await service.workspace();
  const read = await getReader(workspace);
  const isReported = async (data: string) => {
    const expected = { event: "crdt.update_data", ...SCOPE, subject: { editorId }, record: { id: editorId, data } };
    await expect.poll(read).toMatchObject([expected]);
    expect(await readContent(workspace)).toMatchObject({ data });
  };
  await addContent(workspace, { type: "text", data: "one" });
  await isReported("one");
  await updateContent(workspace, { type: "text", data: "one two" });
  await isReported("one two");
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  page.document.getText("content").insert(7, " three");
  await isReported("one two three");
});

test("many changes are one event", async () => {
  const workspace = await service.workspace();
  const read = await getReader(workspace);
  await addContent(workspace, { type: "text", data: "one" });
  for (let number = 0; number < 20; number++) await updateContent(workspace, { type: "text", data: String(number) });
  const events: unknown[] = [];
  await expect.poll(async () => events.push(...(await read())) > 0 && unreported(workspace)).toEqual([]);
  expect(events.length).toBeLessThan(10);
});

test("a collaborative document that was not changed, or to which nobody listens, is not reported", async () => {
  const silent = await service.workspace();
  await addContent(silent, { type: "text", data: "one" });
  expect(await unreported(silent)).toEqual([]);
  const read = await getReader(silent);
  await silent.error("/v2/crdt/add", { ...COLLABORATIVE_DOCUMENT, type: "text", data: "two" });
  expect(await unreported(silent)).toEqual([]);
  expect(await read()).toEqual([]);
});

test("a change that commits while an earlier one is reported is reported too", async () => {
  const workspace = await service.workspace();
  const read = await getReader(workspace);
  await addContent(workspace, { type: "text", data: "one" });
  await expect.poll(read).toHaveLength(1);
  const key = organizationKey(workspace.id, SCOPE.organizationId);
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  await service.database.transaction(async (transaction) => {
    await reportChanges(storedOrganization(transaction, key), [COLLABORATIVE_DOCUMENT]);
    page.document.getText("content").insert(3, " two");
    await untilWaiting(service.database);
  });
  await expect.poll(read).toMatchObject([{ record: { data: "one two" } }]);
});
