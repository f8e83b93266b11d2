import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { addRecordings, FULL_RECORDING, readRecordingIds, readRecordings } from "../../../test/recordings.ts";
import { sql, uuid } from "../../database/sql.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const PATH = "/v2/recordings/add";
const ADDED = { success: true, message: "Recording added." };
const service = await startTestService();

test("a recording is returned with all sent fields, its metadata and version 1", async () => {
  const workspace = await service.workspace();
  expect(await addRecordings(workspace, [FULL_RECORDING])).toEqual({ [FULL_RECORDING.annotationId]: ADDED });
  const metadata = { ...SCOPE, apiKey: workspace.apiKey };
  expect(await readRecordings(workspace)).toEqual([{ ...FULL_RECORDING, metadata, latestVersion: 1 }]);
});

test("a recording without fields has an id, a type, a version and metadata", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["plain"]);
  const metadata = { ...SCOPE, apiKey: workspace.apiKey };
  expect(await readRecordings(workspace)).toEqual([
    { annotationId: "plain", type: "recorder", latestVersion: 1, metadata },
  ]);
});

test("a recording without an id gets a UUID of version 7, which is returned", async () => {
  const workspace = await service.workspace();
  const response = await addRecordings(workspace, [{}, {}]);
  expect(Object.keys(response)).toEqual(
    Array(2).fill(expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)),
  );
  expect(await readRecordingIds(workspace)).toEqual(Object.keys(response).toReversed());
});

test.each([
  ["latestVersion", { latestVersion: 7 }],
  ["metadata", { metadata: { apiKey: "another" } }],
  ["attachments[0].content", { attachments: [{ url: "https://example.com/a.mp4", content: "unknown" }] }],
])("a caller cannot set %s", async (name, field) => {
  const workspace = await service.workspace();
  const recordings = [{ annotationId: "a", ...field }];
  const { message } = await workspace.error("/v2/recordings/add", { ...SCOPE, recordings });
  expect(message).toContain(`data.recordings[0].${name} is not a field of this operation.`);
  expect(await readRecordings(workspace)).toEqual([]);
});

test("overwriting a recording replaces it as a whole, keeps its place and increments its version", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["first", FULL_RECORDING, "last"]);
  const before = await readRecordings(workspace);
  const changed = { annotationId: FULL_RECORDING.annotationId, displayName: "New" };
  await addRecordings(workspace, [changed]);
  const metadata = before[1]?.metadata;
  const replaced = { ...changed, type: "recorder", latestVersion: 2, metadata };
  expect(await readRecordings(workspace)).toEqual([before[0], replaced, before[2]]);
});

test("repeating a request changes nothing, including the version", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, [FULL_RECORDING, "plain"]);
  const before = await readRecordings(workspace);
  await addRecordings(workspace, [FULL_RECORDING, "plain"]);
  expect(await readRecordings(workspace)).toEqual(before);
});

test("the version grows by one with each change, beyond one digit", async () => {
  const workspace = await service.workspace();
  for (let count = 1; count <= 12; count++) {
    await addRecordings(workspace, [{ annotationId: "a", displayName: `${count}` }]);
  }
  await addRecordings(workspace, [{ annotationId: "a", displayName: "12" }]);
  expect(await readRecordings(workspace)).toMatchObject([{ latestVersion: 12, displayName: "12" }]);
});

test("concurrent changes each increment the version, and none is lost", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["a", "b"]);
  const change = (name: number) => [
    { annotationId: name % 2 ? "a" : "b", displayName: `${name}` },
    { annotationId: name % 2 ? "b" : "a", displayName: `${name}` },
  ];
  await Promise.all(Array.from({ length: 10 }, (_, name) => addRecordings(workspace, change(name))));
  const [b, a] = await readRecordings(workspace);
  expect([a?.latestVersion, b?.latestVersion]).toEqual([11, 11]);
  expect(a?.displayName).toBe(b?.displayName);
});

test("a recording overwritten with another document is found only there", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["moved"]);
  await addRecordings(workspace, ["moved"], { documentId: "other" });
  expect(await readRecordingIds(workspace, { documentId: SCOPE.documentId })).toEqual([]);
  expect(await readRecordings(workspace, { documentId: "other" })).toMatchObject([
    { annotationId: "moved", metadata: { documentId: "other" }, latestVersion: 2 },
  ]);
});

test("the same id in two organizations is two recordings", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, [{ annotationId: "same", displayName: "1" }]);
  await addRecordings(workspace, [{ annotationId: "same", displayName: "2" }], { organizationId: "globex" });
  expect(await readRecordings(workspace)).toMatchObject([{ displayName: "1", latestVersion: 1 }]);
  expect(await readRecordings(workspace, { organizationId: "globex" })).toMatchObject([{ displayName: "2" }]);
});

test("the same id in two workspaces is two isolated recordings", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addRecordings(theirs, [{ annotationId: "same", displayName: "theirs" }]);
  expect(await readRecordings(mine)).toEqual([]);
  await addRecordings(mine, [{ annotationId: "same", displayName: "mine" }]);
  expect(await readRecordings(theirs)).toMatchObject([{ displayName: "theirs", latestVersion: 1 }]);
});

test("500 recordings are stored and returned in reverse order, 0 and 501 are INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 501 }, (_, index) => `${(index * 7919) % 501}`);
  for (const recordings of [[], ids.map((annotationId) => ({ annotationId }))]) {
    const error = await workspace.error(PATH, { ...SCOPE, recordings });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.recordings /) });
  }
  expect(await readRecordingIds(workspace)).toEqual([]);
  await addRecordings(workspace, ids.slice(0, 500));
  expect(await readRecordingIds(workspace)).toEqual(ids.slice(0, 500).toReversed());
});

test.each([
  ["type", { type: "comment" }],
  ["from.userId", { from: { name: "Ada" } }],
  ["recordingType", { recordingType: null }],
  ["recordedTime.duration", { recordedTime: { duration: "90" } }],
  ["recordedTime.duration", { recordedTime: { duration: -1 } }],
  ["recordedTime.display", { recordedTime: { display: 90 } }],
  ["attachments", { attachments: {} }],
  ["attachments[0]", { attachments: [{ attachmentId: 1 }] }],
  ["attachments[0].url", { attachments: [{ url: "" }] }],
  ["attachments[0].attachmentId", { attachments: [{ url: "u", attachmentId: "1" }] }],
  ["attachments[1].size", { attachments: [{ url: "u" }, { url: "u", size: 0.5 }] }],
  ["annotationId", { annotationId: "with\u0000control" }],
  ["annotationId", { annotationId: "x".repeat(257) }],
])("an invalid %s is INVALID_ARGUMENT, is named in the message, and nothing is stored", async (name, fields) => {
  const workspace = await service.workspace();
  const error = await workspace.error(PATH, { ...SCOPE, recordings: [{ annotationId: "good" }, fields] });
  expect(error.status).toBe("INVALID_ARGUMENT");
  expect(error.message).toContain(`data.recordings[1].${name} `);
  expect(await readRecordingIds(workspace)).toEqual([]);
});

test("a repeated id in a request is INVALID_ARGUMENT and nothing is stored", async () => {
  const workspace = await service.workspace();
  const recordings = [{ annotationId: "same" }, {}, { annotationId: "same" }];
  const error = await workspace.error(PATH, { ...SCOPE, recordings });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "data.recordings[2].annotationId is repeated in this request",
  });
  expect(await readRecordingIds(workspace)).toEqual([]);
});

test("texts that PostgreSQL cannot store and ids of object prototypes are returned unchanged", async () => {
  const workspace = await service.workspace();
  const hostile = "\u0000 \ud800 \u2028 \"'\\ 😀 </script>";
  const recordings = ["__proto__", "constructor", 'a "quoted", id', "🎥"].map((annotationId) => ({
    annotationId,
    displayName: hostile,
    attachments: [{ url: hostile, name: hostile }],
  }));
  const response = await addRecordings(workspace, recordings);
  expect(Object.entries(response)).toEqual(recordings.map(({ annotationId }) => [annotationId, ADDED]));
  await addRecordings(workspace, recordings);
  expect(await readRecordings(workspace)).toMatchObject(
    recordings.toReversed().map((recording) => ({ ...recording, latestVersion: 1 })),
  );
});

test("a name of 1 MiB is stored", async () => {
  const workspace = await service.workspace();
  const displayName = "x".repeat(1024 * 1024);
  await addRecordings(workspace, [{ displayName }]);
  expect(await readRecordings(workspace)).toMatchObject([{ displayName }]);
});

test("the first recording creates its organization and document", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["a"]);
  const organizations = await workspace.data("/v1/organizations/get", {});
  expect(organizations).toEqual([{ id: SCOPE.organizationId, organizationName: "", disabled: false }]);
  const rows = await service.database.run(
    sql`select document_id from documents join organizations using (organization_key)
      where workspace_id = ${uuid(workspace.id)}`,
  );
  expect(rows).toEqual([{ document_id: SCOPE.documentId }]);
});

test("the user who made a recording is stored in a column", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, [FULL_RECORDING, "nobody's"]);
  const rows = await service.database.run(
    sql`select id, user_id from recordings join organizations using (organization_key)
      where workspace_id = ${uuid(workspace.id)} order by user_id`,
  );
  expect(rows).toEqual([
    { id: FULL_RECORDING.annotationId, user_id: "ada" },
    { id: "nobody's", user_id: null },
  ]);
});

test("overwriting a recording of a deleted document before its purge creates a new recording", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, [{ annotationId: "a", displayName: "old" }, "b"]);
  await addRecordings(workspace, [{ annotationId: "a", displayName: "newer" }]);
  const key = organizationKey(workspace.id, SCOPE.organizationId);
  await service.database.run(
    sql`with aged as (
        update recordings set created_at = created_at - 60000 where organization_key = ${uuid(key)} returning *
      )
      insert into document_purges (organization_key, document_id, deleted_at)
      select organization_key, document_id, max(created_at) from aged group by 1, 2`,
  );
  await addRecordings(workspace, [{ annotationId: "a", displayName: "newer" }]);
  expect(await readRecordings(workspace)).toMatchObject([
    { annotationId: "a", displayName: "newer", latestVersion: 1 },
    { annotationId: "b" },
  ]);
  const rows = await service.database.run(
    sql`select id from recordings join document_purges using (organization_key, document_id)
      where organization_key = ${uuid(key)} and created_at > deleted_at`,
  );
  expect(rows).toEqual([{ id: "a" }]);
});
