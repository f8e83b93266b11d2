import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { MIB_BEFORE_MULTIPLYING, multiplyRecordBytes } from "../../../test/record-bytes.ts";
import { addRecordings, readRecordingIds, readRecordingPages, readRecordings } from "../../../test/recordings.ts";

const PATH = "/v2/recordings/get";
const { organizationId, documentId } = SCOPE;
const service = await startTestService();

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `recording-${index + 1}`);
}

test.each([
  ["no filter", {}, ["elsewhere", "b", "a"]],
  ["documentId", { documentId }, ["b", "a"]],
  ["recordingIds with OR", { recordingIds: ["a", "missing", "elsewhere"] }, ["elsewhere", "a"]],
  ["one id", { recordingIds: ["a"] }, ["a"]],
  ["a repeated id", { recordingIds: ["a", "a"] }, ["a"]],
  ["a document and ids with AND", { documentId, recordingIds: ["a", "elsewhere"] }, ["a"]],
  ["a value without matches", { documentId: "missing" }, []],
])("recordings are filtered by %s, newest first", async (_title, filters, expected) => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["a", "b"]);
  await addRecordings(workspace, ["elsewhere"], { documentId: "other" });
  expect(await readRecordingIds(workspace, filters)).toEqual(expected);
});

test("an organization without recordings returns none, and reading does not create it", async () => {
  const workspace = await service.workspace();
  expect(await readRecordingPages(workspace)).toEqual([[]]);
  expect(await workspace.data("/v1/organizations/get", {})).toEqual([]);
});

test("the pages together are the whole list", async () => {
  const workspace = await service.workspace();
  for (const part of ["a", "b"])
    await addRecordings(
      workspace,
      [1, 2, 3, 4].map((number) => `${part}${number}`),
    );
  const pages = await readRecordingPages(workspace, { documentId, pageSize: 3 });
  expect(pages.map((page) => page.length)).toEqual([3, 3, 2]);
  expect(pages.flat()).toEqual(await readRecordings(workspace));
});

test("a page has 1,000 recordings by default", async () => {
  const workspace = await service.workspace();
  for (const count of [500, 500, 1]) await addRecordings(workspace, Array(count).fill({}));
  expect((await readRecordingPages(workspace)).map((page) => page.length)).toEqual([1000, 1]);
});

test("recordings are returned once while others are added, changed and deleted", async () => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ids(9));
  const seen: string[] = [];
  let pageToken: string | undefined;
  let turn = 0;
  do {
    const request = { organizationId, pageSize: 2, ...(pageToken && { pageToken }) };
    const page = await workspace.result(PATH, request);
    seen.push(...page.data.map(({ annotationId }) => annotationId));
    pageToken = page.pageToken;
    turn++;
    await addRecordings(workspace, [`new-${turn}`, { annotationId: "recording-1", displayName: `${turn}` }]);
    const deleted = [`recording-${9 - turn}`];
    if (turn === 1) await workspace.data("/v2/recordings/delete", { organizationId, recordingIds: deleted });
  } while (pageToken);
  expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => `recording-${number}`));
});

test("a page ends with the recording that passes 8 MiB, and the next page continues", async () => {
  const workspace = await service.workspace();
  for (const annotationId of ids(9)) {
    await addRecordings(workspace, [{ annotationId }]);
    await workspace.data("/v2/recordings/update", {
      organizationId,
      recordings: [{ annotationId, displayName: "x".repeat(MIB_BEFORE_MULTIPLYING) }],
    });
  }
  await multiplyRecordBytes(service.database, workspace, "recordings");
  expect((await readRecordingPages(workspace)).map((page) => page.length)).toEqual([8, 1]);
});

test.each([
  ["document", { documentId: "other" }],
  ["ids", { recordingIds: ["recording-1"] }],
  ["organization", { organizationId: "globex" }],
])("a pageToken with another %s is INVALID_ARGUMENT", async (_title, other) => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ids(2));
  const request = { organizationId, documentId, pageSize: 1 };
  const { pageToken } = await workspace.result(PATH, request);
  const error = await workspace.error(PATH, { ...request, pageToken, ...other });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
});

test("the recordings of another workspace are indistinguishable from missing ones", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addRecordings(theirs, ["theirs"]);
  const request = { organizationId, documentId, recordingIds: ["theirs"] };
  expect(await mine.result(PATH, request)).toEqual(await mine.result(PATH, { ...request, recordingIds: ["none"] }));
});

test.each([
  [PATH, {}],
  ["/v2/recordings/add", { documentId, recordings: [{}] }],
  ["/v2/recordings/update", { recordings: [{ annotationId: "a", displayName: "new" }] }],
  ["/v2/recordings/delete", { recordingIds: ["a"] }],
])("%s in a disabled organization is PERMISSION_DENIED and changes nothing", async (path, request) => {
  const workspace = await service.workspace();
  await addRecordings(workspace, ["a"]);
  const before = await readRecordings(workspace);
  const switchTo = (disabled: boolean) =>
    workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: [organizationId], disabled });
  await switchTo(true);
  const error = await workspace.error(path, { organizationId, ...request });
  expect(error).toMatchObject({ status: "PERMISSION_DENIED", details: { reason: "organization_disabled" } });
  await switchTo(false);
  expect(await readRecordings(workspace)).toEqual(before);
});
