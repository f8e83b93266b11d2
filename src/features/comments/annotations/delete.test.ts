import { expect, test } from "vitest";
import { beforePurge } from "../../../../test/before-purge.ts";
import {
  addAnnotations,
  addComments,
  changeAnnotations,
  changeReaction,
  comment,
  countAnnotations,
  readAnnotationIds,
  readComments,
} from "../../../../test/comments.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { DOCUMENTS, deleteRecords, untilDocumentsPurged } from "../../../../test/organizations.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const DELETED = { success: true, id: expect.any(String), message: "Annotation deleted." };
const NOT_FOUND = { success: false, id: expect.any(String), message: "Annotation not found." };
const service = await startTestService();

test.each([
  ["ids", { annotationIds: ["a", "missing", "a"] }, { a: DELETED, missing: NOT_FOUND }],
  ["a location", { locationIds: ["page-1"] }, { a: DELETED }],
  ["a participant", { userIds: ["grace"] }, { b: DELETED }],
  ["nothing but the document", {}, { a: DELETED, b: DELETED }],
  ["an id of another document", { annotationIds: ["elsewhere"] }, { elsewhere: NOT_FOUND }],
])(
  "by %s: matching annotations are deleted and listed in the response, others stay",
  async (_title, filters, expected) => {
    const workspace = await service.publicWorkspace();
    await addAnnotations(workspace, [
      { annotationId: "a", location: { id: "page-1" } },
      { annotationId: "b", commentData: [comment(), comment({ from: { userId: "grace" } })] },
    ]);
    await addAnnotations(workspace, ["elsewhere"], { documentId: "other" });
    expect(await changeAnnotations(workspace, "delete", filters)).toEqual(expected);
    const deleted = Object.entries(expected).flatMap(([id, result]) => (result === DELETED ? [id] : []));
    const left = ["a", "b", "elsewhere"].filter((id) => !deleted.includes(id));
    expect(await readAnnotationIds(workspace)).toEqual(left);
  },
);

test("a deleted annotation leaves nothing behind, and its id can be used again", async () => {
  const workspace = await service.publicWorkspace();
  const commentData = [comment({ commentId: 1, taggedUserContacts: [{ userId: "grace" }] })];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  await changeReaction(workspace, "add");
  await changeAnnotations(workspace, "delete", {});
  for (const table of ["comment_annotations", "comments", "comment_users", "comment_reactions", "comment_reads"]) {
    const { length: rowCount } = await runSql(service.database, `select from ${table} where organization_key = $1`, [
      organizationKey(workspace.id, "acme"),
    ]);
    expect(rowCount, table).toBe(0);
  }
  expect(await changeAnnotations(workspace, "delete", { annotationIds: ["a"] })).toEqual({ a: NOT_FOUND });
  await addAnnotations(workspace, ["a"]);
  expect(await readComments(workspace)).toMatchObject([{ commentId: 1, reactions: [] }]);
  expect(await countAnnotations(workspace, "grace")).toMatchObject({ "contract-7": { total: 1, unread: 1 } });
});

test("of comments that are added during a deletion each is stored with its annotation or not at all", async () => {
  const workspace = await service.publicWorkspace();
  const ids = Array.from({ length: 30 }, (_, index) => `${index}`);
  await addAnnotations(workspace, ids);
  await Promise.all([
    ...ids.map((annotationId) =>
      workspace.call("/v2/commentannotations/comments/add", {
        organizationId: "acme",
        documentId: "contract-7",
        annotationId,
        commentData: [comment()],
      }),
    ),
    changeAnnotations(workspace, "delete", { annotationIds: ids.toReversed() }),
    changeAnnotations(workspace, "delete", {}),
  ]);
  const { length: rowCount } = await runSql(service.database, "select from comments where organization_key = $1", [
    organizationKey(workspace.id, "acme"),
  ]);
  expect([await readAnnotationIds(workspace), rowCount]).toEqual([[], 0]);
});

test("the annotation of another workspace is not found and stays", async () => {
  const [mine, theirs] = await Promise.all([service.publicWorkspace(), service.publicWorkspace()]);
  await addAnnotations(theirs, ["a"]);
  expect(await changeAnnotations(mine, "delete", { annotationIds: ["a"] })).toEqual({ a: NOT_FOUND });
  expect(await readAnnotationIds(theirs)).toEqual(["a"]);
});

/** Copies the annotation "a" with its comments as "a-1" and so on. */
async function multiply(workspace: TestWorkspace, count: number): Promise<void> {
  const key = organizationKey(workspace.id, "acme");
  await runSql(
    service.database,
    `with copy as (
       insert into comment_annotations (organization_key, id, sequence, document_id, status_id, user_id, created_at,
         updated_at, written_at, last_comment_id, latest_comment, record, record_bytes)
       select organization_key, id || '-' || number, nextval('comment_sequence'), document_id, status_id, user_id,
         created_at, updated_at, written_at, last_comment_id, latest_comment, record, record_bytes
       from comment_annotations, generate_series(1, $2::int) as number where organization_key = $1 and id = 'a'
       returning sequence
     )
     insert into comments (organization_key, annotation_sequence, id, sequence, document_id, written_at,
       created_at, user_id, tagged_user_ids, record, record_bytes)
     select comment.organization_key, copy.sequence, comment.id, comment.sequence, document_id, written_at,
       comment.created_at, user_id, tagged_user_ids, record, record_bytes
     from comments comment, copy where organization_key = $1`,
    [key, count],
  );
}

test("an annotation of a deleted document cannot be written to before the job purges it", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ commentText: "old" })] }]);
  await multiply(workspace, 6_000);
  const scope = { organizationId: "acme", documentId: "contract-7" };
  // The deletion itself purges the first rows of each table. The job may have purged these, too; it ends later.
  const [annotationId, other] = ["a-6000", "a-5999"];
  await beforePurge(service, async () => {
    await deleteRecords(workspace, DOCUMENTS, ["contract-7"]);
    const request = { ...scope, annotationId: other, commentData: [comment()] };
    const error = await workspace.error("/v2/commentannotations/comments/add", request);
    expect(error).toMatchObject({ status: "NOT_FOUND" });
    expect(await changeAnnotations(workspace, "delete", {})).toEqual({});
    const added = await addAnnotations(workspace, [annotationId]);
    expect(added[annotationId]).toMatchObject({ success: true, commentIds: [1] });
    await addComments(workspace, [{}], { annotationId });
  });
  await untilDocumentsPurged(service, workspace);
  expect(await readAnnotationIds(workspace)).toEqual([annotationId]);
  const comments = await readComments(workspace, { annotationId });
  expect(comments.map(({ commentText }) => commentText)).toEqual(["thirty days", "thirty days"]);
  const rows = await runSql<{ count: number }>(
    service.database,
    "select count(*) as count from comments where organization_key = $1",
    [organizationKey(workspace.id, "acme")],
  );
  expect(rows).toEqual([{ count: 2 }]);
});
