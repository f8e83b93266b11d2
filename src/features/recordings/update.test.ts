import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addRecordings, FULL_RECORDING, readRecordingIds, readRecordings } from "../../../test/recordings.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v2/recordings/update";
const { organizationId } = SCOPE;
const { annotationId } = FULL_RECORDING;
const UPDATED = { success: true, message: "Recording updated." };
const NOT_FOUND = { success: false, message: "Recording not found." };
const service = await startTestService();

function update(workspace: TestWorkspace, recordings: Api[typeof PATH]["request"]["recordings"]) {
  return workspace.data(PATH, { organizationId, recordings });
}

test.each([
  { displayName: "Another name" },
  { displayName: "" },
  { attachments: [{ url: "https://files.example.com/cut.mp4", size: 7 }] },
  { attachments: [] },
  { recordedTime: { duration: 12 } },
  { recordingType: "audio" },
  { mode: "docked", displayName: "Two fields" },
])("%j replaces the fields as a whole, keeps the others, and increments the version", async (fields) => {
  const workspace = await service.workspace();
  await addRecordings(workspace, [FULL_RECORDING]);
  const [before] = await readRecordings(workspace);
  expect(await update(workspace, [{ annotationId, ...fields }])).toEqual({ [annotationId]: UPDATED });
  expect(await readRecordings(workspace)).toEqual([{ ...before, ...fields, latestVersion: 2 }]);
});

test("a field that the recording did not have is added", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["plain"]);
  await update(workspace, [{ annotationId: "plain", displayName: "Named" }]);
  expect(await readRecordings(workspace)).toMatchObject([{ displayName: "Named", latestVersion: 2 }]);
});

test("an item with only an id succeeds and changes nothing, including the version", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, [FULL_RECORDING]);
  const before = await readRecordings(workspace);
  expect(await update(workspace, [{ annotationId }])).toEqual({ [annotationId]: UPDATED });
  expect(await readRecordings(workspace)).toEqual(before);
});

test("a missing id fails alone and is not created", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["a", "b"]);
  const items = ["a", "missing", "b"].map((id) => ({ annotationId: id, displayName: "new" }));
  expect(await update(workspace, items)).toEqual({ a: UPDATED, missing: NOT_FOUND, b: UPDATED });
  expect(await readRecordings(workspace)).toMatchObject([
    { annotationId: "b", displayName: "new" },
    { annotationId: "a", displayName: "new" },
  ]);
});

test("an organization that does not exist is not created", async () => {
  const workspace = await service.workspace();
  expect(await update(workspace, [{ annotationId, displayName: "new" }])).toEqual({ [annotationId]: NOT_FOUND });
  expect(await workspace.data("/v1/organizations/get", {})).toEqual([]);
});

test("the recordings of other organizations and workspaces stay unchanged", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addRecordings(mine, [FULL_RECORDING], { organizationId: "globex" });
  await addRecordings(theirs, [FULL_RECORDING]);
  expect(await update(mine, [{ annotationId, displayName: "new" }])).toEqual({ [annotationId]: NOT_FOUND });
  const untouched = [{ displayName: FULL_RECORDING.displayName, latestVersion: 1 }];
  expect(await readRecordings(mine, { organizationId: "globex" })).toMatchObject(untouched);
  expect(await readRecordings(theirs)).toMatchObject(untouched);
});

test.each(["type", "from", "latestVersion", "metadata", "documentId"])(
  "%s cannot be changed: the request is INVALID_ARGUMENT and changes nothing",
  async (name) => {
    const workspace = await service.workspace();
    await addRecordings(workspace, [FULL_RECORDING]);
    const before = await readRecordings(workspace);
    const recordings = [{ annotationId, displayName: "new", [name]: "other" }];
    const error = await workspace.error(PATH, { organizationId: SCOPE.organizationId, recordings });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "unknown_field" } });
    expect(await readRecordings(workspace)).toEqual(before);
  },
);

test("an updated recording keeps its place", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["a", "b", "c"]);
  await update(workspace, [{ annotationId: "a", displayName: "new" }]);
  expect(await readRecordingIds(workspace)).toEqual(["c", "b", "a"]);
});

test("concurrent updates in any order of ids each increment the version, and none is lost", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["a", "b"]);
  const fields = ["displayName", "recordingType", "mode"];
  await Promise.all(
    Array.from({ length: 12 }, (_, turn) => {
      const change = { [fields[turn % 3] ?? ""]: "set" };
      return update(
        workspace,
        (turn % 2 ? ["a", "b"] : ["b", "a"]).map((id) => ({ annotationId: id, ...change })),
      );
    }),
  );
  const all = { displayName: "set", recordingType: "set", mode: "set", latestVersion: 13 };
  expect(await readRecordings(workspace)).toMatchObject([all, all]);
});

test("hostile texts and ids are merged like others", async () => {
  const workspace = await service.workspace();
  const hostile = "\u0000 \ud800 \u2028 \"'\\ 😀";
  await addRecordings(workspace, [{ annotationId: "__proto__", displayName: hostile }]);
  const response = await update(workspace, [
    JSON.parse(`{"annotationId":"__proto__","mode":${JSON.stringify(hostile)}}`),
  ]);
  expect(Object.entries(Object(response))).toEqual([["__proto__", UPDATED]]);
  expect(await readRecordings(workspace)).toMatchObject([
    { annotationId: "__proto__", displayName: hostile, mode: hostile, latestVersion: 2 },
  ]);
});

test.each([
  [
    "an invalid field",
    [
      { annotationId: "b", displayName: "new" },
      { annotationId, displayName: null },
    ],
  ],
  [
    "an attachment without url",
    [
      { annotationId: "b", displayName: "new" },
      { annotationId, attachments: [{}] },
    ],
  ],
  ["a repeated id", [{ annotationId, displayName: "new" }, { annotationId }]],
  ["no item", []],
  ["501 items", Array.from({ length: 501 }, (_, index) => ({ annotationId: `${index}` }))],
])("%s is INVALID_ARGUMENT and nothing is changed", async (_title, recordings) => {
  const workspace = await service.workspace();
  await addRecordings(workspace, [FULL_RECORDING, "b"]);
  const before = await readRecordings(workspace);
  const error = await workspace.error(PATH, { organizationId, recordings });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.recordings/) });
  expect(await readRecordings(workspace)).toEqual(before);
});
