import { expect, test } from "vitest";
import { copyRow } from "../../../../test/copy-row.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import { RECORD_LIMITS } from "../../../config/limits.ts";

const ADD = "/v2/commentannotations/add";
const service = await startTestService();
const comment = { commentText: "one", from: { userId: "ada" } };
const request = (annotationId: string, documentId = SCOPE.documentId) => ({
  ...SCOPE,
  documentId,
  commentAnnotations: [{ annotationId, commentData: [comment] }],
});
const TOO_MANY = { status: "FAILED_PRECONDITION", details: { reason: "limit_reached", limit: "annotations" } };

/** Returns a workspace with a document that has room for one more annotation. */
async function almostFull(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data(ADD, request("first"));
  const copies = RECORD_LIMITS.annotations - 2;
  const table = { table: "comment_annotations", idColumn: "id", sequence: "comment_sequence" };
  await copyRow(service, workspace, { ...table, copies });
  const count = `update annotation_counters set last_number = $2
    where organization_key in (select organization_key from organizations where workspace_id = $1)`;
  await runSql(service.database, count, [workspace.id, copies + 1]);
  return workspace;
}

test("a document has 10,000 annotations at most, for users and backends, and a deletion makes room", async () => {
  const workspace = await almostFull();
  await workspace.data(ADD, request("last"));
  expect(await workspace.error(ADD, request("one more"))).toMatchObject(TOO_MANY);
  const ofUser = { ...SCOPE, commentAnnotations: [{ commentData: [{ commentText: "one" }] }] };
  const token = await tokenFor(workspace, "ada");
  const response = await callWith(token, `${service.address}/v1/commentannotations/add`, ofUser);
  expect(response.body).toMatchObject({ error: TOO_MANY });
  expect(await workspace.data("/v2/commentannotations/get", { ...SCOPE, annotationIds: ["one more"] })).toEqual([null]);
  await workspace.data(ADD, request("elsewhere", "another document"));
  await workspace.data("/v2/commentannotations/delete", { ...SCOPE, annotationIds: ["first"] });
  await workspace.data(ADD, request("one more"));
});

test("annotations of a deleted document do not count", async () => {
  const workspace = await almostFull();
  await workspace.data(ADD, request("last"));
  const { organizationId, documentId } = SCOPE;
  await workspace.data("/v2/organizations/documents/delete", { organizationId, documentIds: [documentId] });
  await workspace.data(ADD, request("new"));
});
