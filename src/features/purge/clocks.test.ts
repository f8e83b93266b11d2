import { expect, inject, test } from "vitest";
import { beforePurge } from "../../../test/before-purge.ts";
import { setClockBack } from "../../../test/clock.ts";
import { activity, addActivities, copyActivity, readActivityIds } from "../../../test/factories.ts";
import { countDocumentRows, fillDocument } from "../../../test/filled-documents.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, deleteRecords, untilDocumentsPurged } from "../../../test/organizations.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserData, deleteUserDataAndWait, untilDeletionDone } from "../../../test/user-data.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const service = await startOwnTestService();
/** Milliseconds by which the clock is set back. On Citus, less than clocks of servers may differ does not count. */
const TIMES = inject("serverUrls").length > 1 ? [7_200_000] : [20_000, 7_200_000];

async function filled(byMs: number): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await fillDocument(service, workspace, "contract-7");
  const request = { organizationId: "acme", organizationUserGroupId: "legal", userIds: ["ada", "grace"] };
  await workspace.data("/v2/organizations/usergroups/users/add", request);
  await setClockBack(service, workspace, byMs);
  return workspace;
}

test.each(TIMES)(
  "a deletion of users deletes what was written before the clock was set back by %i ms",
  async (byMs) => {
    const [before, workspace] = [await filled(0), await filled(byMs)];
    const expected = await deleteUserDataAndWait(before, ["ada"]);
    expect(expected.receipt?.length).toBeGreaterThan(10);
    expect((await deleteUserDataAndWait(workspace, ["ada"])).receipt).toEqual(expected.receipt);
  },
);

test.each(TIMES)(
  "a deletion of users keeps what is written after it, %i ms after the clock was set back",
  async (byMs) => {
    const workspace = await filled(byMs);
    const jobId = await beforePurge(service, async () => {
      const deletion = await deleteUserData(workspace, ["ada"]);
      await addActivities(workspace, [activity({ id: "later", actionUser: { userId: "ada" } })]);
      return deletion.jobId;
    });
    await untilDeletionDone(workspace, jobId);
    expect(await readActivityIds(workspace, { userId: "ada" })).toEqual(["later"]);
  },
);

test("a deletion on a server with younger transactions keeps what is written after it", async () => {
  const workspace = await filled(0);
  const jobId = await beforePurge(service, async () => {
    const deletion = await deleteUserData(workspace, ["ada"]);
    await runSql(service.database, "update user_data_deletions set accepted_in = '1000000000' where stage <> 'done'");
    await addActivities(workspace, [activity({ id: "later", actionUser: { userId: "ada" } })]);
    return deletion.jobId;
  });
  await untilDeletionDone(workspace, jobId);
  expect(await readActivityIds(workspace, { userId: "ada" })).toEqual(["later"]);
});

// Transactions on Citus have no common order, so there the time of writing counts alone.
test.skipIf(inject("serverUrls").length > 1).each([
  ["deleted if its transaction had begun to write before", "select pg_current_xact_id()", ["b"]],
  ["kept if its transaction begins to write afterwards", "select 1", ["a-1", "b"]],
])("what a request in progress writes after the acceptance is %s", async (_, begin, expected) => {
  const workspace = await service.workspace();
  await addActivities(workspace, [
    { id: "a", actionUser: { userId: "ada" } },
    { id: "b", actionUser: { userId: "bob" } },
  ]);
  const { jobId } = await beforePurge(service, async (writer) => {
    await runSql(writer, begin);
    const accepted = await deleteUserData(workspace, ["ada"]);
    await copyActivity(writer, organizationKey(workspace.id, "acme"), "a", 1);
    const now = "floor(extract(epoch from clock_timestamp()) * 1000)";
    await runSql(writer, `update activities set created_at = ${now} where id = 'a-1'`);
    return accepted;
  });
  await untilDeletionDone(workspace, jobId);
  expect((await readActivityIds(workspace)).sort()).toEqual(expected);
});

test.each(TIMES)(
  "a deletion of a document deletes what was written before the clock was set back by %i ms",
  async (byMs) => {
    const workspace = await filled(byMs);
    const full = await countDocumentRows(service, workspace, "contract-7");
    expect(Object.keys(full).length).toBeGreaterThan(10);
    await deleteRecords(workspace, DOCUMENTS, ["contract-7"]);
    await untilDocumentsPurged(service, workspace);
    expect(await countDocumentRows(service, workspace, "contract-7")).toEqual({ events: 1 });
    await fillDocument(service, workspace, "contract-7");
    await untilDocumentsPurged(service, workspace);
    expect(await countDocumentRows(service, workspace, "contract-7")).toMatchObject({
      ...full,
      events: expect.any(Number),
    });
  },
);
