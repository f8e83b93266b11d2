import { expect, test } from "vitest";
import { migrateBefore } from "../../../../test/earlier-version.ts";
import { createTestDatabase } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { migrate } from "../../../database/migrate.ts";
import { selectAnnotationPage } from "./filters/queries.ts";

const MIGRATION = "0021_annotation_fields.sql";
const KEY = "00000000-0000-0000-0000-000000000001";
const TEXT = '\0 \ud800 \\ " \\" \ue000s ,"reactions":[]';
const FROM = { userId: "ada", note: TEXT };

test("annotations, comments and reactions of an earlier version are returned with the new fields", async () => {
  const { database, connectionString } = await createTestDatabase({ isBare: true });
  await migrateBefore(database, MIGRATION);
  const status = { id: "OPEN", name: "Open", type: "default" };
  const annotation = (id: string) => ({ annotationId: id, type: "comment", from: FROM, context: { status }, status });
  for (const [index, id] of ["b", "a"].entries()) {
    await runSql(
      database,
      `insert into comment_annotations (organization_key, id, sequence, document_id, status_id, user_id, created_at,
         updated_at, written_at, record, record_bytes) values ($1, $2, $3, 'd', 'OPEN', 'ada', 5, 6, 7, $4, 1)`,
      [KEY, id, index + 1, JSON.stringify(annotation(id))],
    );
  }
  const attachments = [{ reactions: [], url: TEXT }];
  const comment = { commentId: 3, createdAt: 1_000, lastUpdated: 2_500, from: FROM, commentText: TEXT };
  const reactions = [{ reaction: "👍", userIds: ["ada"] }];
  await runSql(
    database,
    `insert into comments (organization_key, annotation_sequence, id, sequence, document_id, written_at, created_at,
       user_id, tagged_user_ids, record, record_bytes) values ($1, 1, 3, 4, 'd', 7, 1000, 'ada', '{}', $2, 1)`,
    [KEY, JSON.stringify({ ...comment, reactions, attachments })],
  );
  await runSql(
    database,
    `insert into comment_reactions (organization_key, annotation_sequence, comment_id, reaction, user_id, document_id,
       written_at, created_at) values ($1, 1, 3, '👍', 'ada', 'd', 7, 8)`,
    [KEY],
  );
  expect((await migrate({ connectionString })).applied).toContain(MIGRATION);
  const page = { order: "asc" as const, pageSize: 10, after: undefined, placesBefore: 0 };
  const [b, a]: object[] = JSON.parse((await selectAnnotationPage(database, KEY, {}, page)).records);
  const colored = { ...status, color: "#1971c2", lightColor: "#e7f5ff" };
  expect(b).toMatchObject({ ...annotation("b"), status: colored, commentType: "manual", annotationNumber: 1 });
  expect(a).toMatchObject({ ...annotation("a"), status: colored, annotationNumber: 2, comments: [] });
  const added = { lastUpdated: "1970-01-01T00:00:02.500Z", status: "updated", taggedUserContacts: [] };
  const fromUsers = [{ lastUpdated: 8, from: { userId: "ada" } }];
  expect(b).toMatchObject({
    comments: [{ ...comment, ...added, attachments, reactions, reactionAnnotations: [{ icon: "👍", fromUsers }] }],
  });
});
