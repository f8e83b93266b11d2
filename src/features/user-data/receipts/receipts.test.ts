import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { administered } from "../../../../test/administered.ts";
import { emptyFolder, runCommand } from "../../../../test/command-line.ts";
import { activity, addActivities } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { deleteUserData, untilDeletionDone } from "../../../../test/user-data.ts";
import { Cipher } from "../../../config/cipher.ts";
import { deleteExpiredRows } from "../../../database/expiry.ts";
import { PURGED_KINDS } from "../kinds.ts";
import { clearExpiredDeletions } from "./expiry.ts";
import { signReceipt } from "./receipt.ts";

const LIST = "/v2/users/data/deletions/get";
const RECEIPT = "/v2/users/data/deletions/receipt/get";
const KEY = "7".repeat(64);
const OTHER_KEY = "8".repeat(64);
const service = await startOwnTestService();

/** Deletes the data of users after an activity of ada in the organizations. Returns the job ID. */
async function deleteAda(workspace: TestWorkspace, { userIds = ["ada"], organizationIds = ["acme", "beta"] } = {}) {
  for (const organizationId of organizationIds) {
    await addActivities(workspace, [activity({ id: "a", actionUser: { userId: "ada" } })], { organizationId });
  }
  const { jobId } = await deleteUserData(workspace, userIds, organizationIds);
  await untilDeletionDone(workspace, jobId);
  return jobId;
}

test("a receipt says whose data, in which workspace and organizations, who asked, when, and every kind", async () => {
  const { workspace } = await administered(service);
  const begun = Date.now();
  const jobId = await deleteAda(workspace, { userIds: ["ada", "grace", "ada"] });
  const { receipt, signature } = await workspace.data(RECEIPT, { jobId });
  const [{ name = undefined } = {}] = await workspace.data("/v2/workspaces/get", {});
  expect(receipt).toEqual({
    jobId,
    workspaceId: workspace.id,
    workspaceName: name,
    userIds: ["ada", "grace"],
    organizationIds: ["acme", "beta"],
    requestedBy: { type: "token", id: expect.any(String), name: "first" },
    acceptedAt: expect.any(String),
    completedAt: expect.any(String),
    kinds: expect.any(Array),
    entriesCount: expect.any(Number),
    entries: (await workspace.data("/v2/users/data/delete/status", { jobId })).receipt,
  });
  expect(Date.parse(receipt.acceptedAt)).toBeGreaterThanOrEqual(begun - 1_000);
  expect(Date.parse(receipt.completedAt)).toBeGreaterThanOrEqual(Date.parse(receipt.acceptedAt));
  expect(receipt.kinds.map(({ kind }) => kind)).toEqual([...PURGED_KINDS].sort());
  expect(receipt.kinds).toContainEqual({ kind: "activities", deleted: 2, stripped: 0 });
  expect(receipt.kinds).toContainEqual({ kind: "recordings", deleted: 0, stripped: 0 });
  expect(receipt.entries).toHaveLength(receipt.entriesCount);
  expect(signature).toMatch(/^[\w-]{43}$/);
});

test("deletions are listed newest first, in pages and by user, and not to another workspace", async () => {
  const { workspace, session } = await administered(service);
  const first = await deleteAda(workspace);
  const second = await deleteAda(workspace, { userIds: ["grace"], organizationIds: ["acme"] });
  const { body } = await session.call("/v1/users/data/delete", { userIds: ["nobody"] });
  const third: string = Object(body).data.jobId;
  await untilDeletionDone(workspace, third);
  const all = await workspace.data(LIST, {});
  expect(all.map(({ jobId }) => jobId)).toEqual([third, second, first]);
  expect(all[0]).toEqual({
    ...{ jobId: third, userIds: ["nobody"], organizationIds: null, deleted: 0, stripped: 0 },
    requestedBy: { type: "session", id: expect.any(String), name: expect.stringContaining("@") },
    ...{ acceptedAt: expect.any(Number), completedAt: expect.any(Number) },
  });
  expect(all[2]).toMatchObject({ userIds: ["ada"], organizationIds: ["acme", "beta"], stripped: 0 });
  const { data, nextPageToken = "" } = await workspace.result(LIST, { pageSize: 2 });
  expect([...data, ...(await workspace.data(LIST, { pageSize: 2, pageToken: nextPageToken }))]).toEqual(all);
  expect(await workspace.data(LIST, { userId: "ada" })).toEqual([all[2]]);
  const other = await service.workspace();
  expect(await other.data(LIST, {})).toEqual([]);
  expect(await other.error(RECEIPT, { jobId: first })).toMatchObject({ httpStatus: 404 });
});

test("a deletion that still runs is listed without its end, and has no receipt yet", async () => {
  const workspace = await service.workspace();
  const jobId = await deleteAda(workspace);
  await runSql(service.database, "update user_data_deletions set stage = 'purging' where id = $1", [jobId]);
  expect(await workspace.data(LIST, {})).toMatchObject([{ jobId, completedAt: null }]);
  expect(await workspace.error(RECEIPT, { jobId })).toMatchObject({ httpStatus: 404 });
});

test("the users and who asked are cleared after the retention, and the counts stay", async () => {
  const workspace = await service.workspace();
  const [old, recent] = [await deleteAda(workspace), await deleteAda(workspace)];
  const longAgo = Date.now() - 31 * 24 * 3_600_000;
  await runSql(service.database, "update user_data_deletions set accepted_at = $2 where id = $1", [old, longAgo]);
  await deleteExpiredRows(clearExpiredDeletions(service.database, 30));
  expect(await workspace.data(LIST, {})).toMatchObject([
    { jobId: recent, userIds: ["ada"], requestedBy: { name: "first" } },
    { jobId: old, userIds: [], requestedBy: null, deleted: 2 },
  ]);
});

test("the command accepts a receipt signed under a current or earlier key, and no other or changed one", async () => {
  const folder = await emptyFolder();
  const receipt = { jobId: "job", userIds: ["ada"], entries: [{ organizationId: "ünï", deleted: 1 }] };
  const signed = signReceipt(new Cipher([Buffer.from(KEY, "hex")], "colloquy secrets"), receipt);
  const verify = async (content: unknown, environment: Record<string, string>) => {
    const file = join(folder, "receipt.json");
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
    return runCommand(["receipt", "verify", file], { DATA_DIR: folder, ...environment });
  };
  expect(await verify(signed, { SECRET_KEY: KEY })).toMatchObject({ exitCode: 0 });
  expect(await verify(signed, { SECRET_KEY: OTHER_KEY, SECRET_KEY_OLD: KEY })).toMatchObject({ exitCode: 0 });
  expect(await verify(signed, { SECRET_KEY: OTHER_KEY })).toMatchObject({ exitCode: 1 });
  const changed = { ...signed, receipt: { ...receipt, userIds: ["grace"] } };
  for (const content of [changed, { receipt }, "no JSON"]) {
    expect(await verify(content, { SECRET_KEY: KEY })).toMatchObject({ exitCode: 1 });
  }
  expect(await verify(signed, {})).toMatchObject({ exitCode: 1 });
});
