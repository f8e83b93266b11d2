import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addRecordings, readRecordingIds } from "../../../test/recordings.ts";
import { sql, uuid } from "../../database/sql.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const PATH = "/v2/recordings/delete";
const { organizationId } = SCOPE;
const DELETED = { success: true, message: "Recording deleted." };
const NOT_FOUND = { success: false, message: "Recording not found." };
const ALL = ["d2 b", "d2 a", "d1 b", "d1 a"];
const service = await startTestService();

function remove(workspace: TestWorkspace, filters: Partial<Api[typeof PATH]["request"]>) {
  return workspace.data(PATH, { organizationId, ...filters });
}

async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  for (const documentId of ["d1", "d2"]) {
    await addRecordings(workspace, [`${documentId} a`, `${documentId} b`], { documentId });
  }
  return workspace;
}

test.each([
  ["an id", { recordingIds: ["d1 a"] }, { "d1 a": DELETED }],
  ["a document", { documentId: "d1" }, { "d1 a": DELETED, "d1 b": DELETED }],
  ["a document without recordings", { documentId: "d3" }, {}],
  ["a missing id", { recordingIds: ["missing", "d2 b"] }, { missing: NOT_FOUND, "d2 b": DELETED }],
  ["an id twice", { recordingIds: ["d1 a", "d1 a"] }, { "d1 a": DELETED }],
  ["ids in a document", { documentId: "d1", recordingIds: ["d1 a", "d2 a"] }, { "d1 a": DELETED, "d2 a": NOT_FOUND }],
])("%s: matching recordings are deleted and listed in the response, others stay", async (_title, filters, expected) => {
  const workspace = await filledWorkspace();
  expect(await remove(workspace, filters)).toEqual(expected);
  const deleted = Object.entries(expected).flatMap(([id, result]) => (result === DELETED ? [id] : []));
  expect(await readRecordingIds(workspace)).toEqual(ALL.filter((id) => !deleted.includes(id)));
});

test("a deleted id is not found, and can be used again from version 1", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, [{ annotationId: "a" }]);
  await addRecordings(workspace, [{ annotationId: "a", displayName: "second" }, "b"]);
  await remove(workspace, { recordingIds: ["a"] });
  expect(await remove(workspace, { recordingIds: ["a"] })).toEqual({ a: NOT_FOUND });
  await addRecordings(workspace, ["a"]);
  const [record] = await workspace.data("/v2/recordings/get", { organizationId });
  expect(record).toMatchObject({ annotationId: "a", latestVersion: 1 });
});

test("the recordings of other organizations and workspaces stay", async () => {
  const [mine, theirs] = await Promise.all([filledWorkspace(), filledWorkspace()]);
  await addRecordings(mine, ["d1 a"], { organizationId: "globex", documentId: "d1" });
  await remove(mine, { documentId: "d1" });
  await remove(mine, { recordingIds: ALL });
  expect(await readRecordingIds(mine)).toEqual([]);
  expect(await readRecordingIds(mine, { organizationId: "globex" })).toEqual(["d1 a"]);
  expect(await readRecordingIds(theirs)).toEqual(ALL);
});

test.each([{}, { recordingIds: [] }, { documentId: "" }, { documentId: null }])(
  "%j without a document or id is INVALID_ARGUMENT and nothing is deleted",
  async (filters) => {
    const workspace = await filledWorkspace();
    expect(await workspace.error(PATH, { organizationId, ...filters })).toMatchObject({ status: "INVALID_ARGUMENT" });
    expect(await readRecordingIds(workspace)).toEqual(ALL);
  },
);

test("the message of a request without filters names the required fields", async () => {
  const { message } = await (await service.workspace()).error(PATH, { organizationId });
  expect(message).toBe("data must have at least one of documentId, recordingIds");
});

test("of two concurrent deletions each id is deleted by one", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 200 }, (_, index) => `${index}`);
  await addRecordings(workspace, ids);
  const responses = await Promise.all([
    remove(workspace, { recordingIds: ids }),
    remove(workspace, { recordingIds: ids.toReversed() }),
  ]);
  const successes = responses.map(
    (response) => Object.values(response).filter((result) => Object(result).success).length,
  );
  expect(successes.reduce((sum, count) => sum + count)).toBe(200);
  expect(await readRecordingIds(workspace)).toEqual([]);
});

test("more than 50,000 matches are all deleted, and 50,000 are listed", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["copied"]);
  await service.database.run(
    sql`insert into recordings (organization_key, id, document_id, created_at, sequence, latest_version, record,
        record_bytes)
      select organization_key, id || n, document_id, created_at, nextval('recording_sequence'), 1, record, record_bytes
      from recordings, generate_series(1, 50001) as n
      where organization_key = ${uuid(organizationKey(workspace.id, organizationId))}`,
  );
  const response = await remove(workspace, { documentId: SCOPE.documentId });
  expect(Object.keys(response)).toHaveLength(50_000);
  expect(await readRecordingIds(workspace)).toEqual([]);
});
