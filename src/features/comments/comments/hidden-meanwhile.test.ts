import { expect, test } from "vitest";
import { addAnnotations, readAnnotations } from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { untilWaiting } from "../../../../test/lock-waits.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";

const service = await startOwnTestService();

/** Adds a comment of the user while a transaction shows the annotation to these users alone. */
async function addMeanwhile(workspace: TestWorkspace, userId: string, viewers: string[]) {
  const token = await tokenFor(workspace, userId);
  const request = { ...SCOPE, annotationId: "a", commentData: [{ commentText: "more" }] };
  const { response } = await service.database.transaction(async (transaction) => {
    const hide = `update comment_annotations set viewers = $2, record = (record::jsonb || $3::jsonb)::json
      where organization_key = $1`;
    await runSql(transaction, hide, [
      organizationKey(workspace.id, SCOPE.organizationId),
      JSON.stringify({ userIds: viewers }),
      JSON.stringify({ visibilityConfig: { type: "restricted", userIds: viewers } }),
    ]);
    const waiting = callWith(token, `${service.address}/v2/commentannotations/comments/add`, request);
    await untilWaiting(transaction);
    return { response: waiting };
  });
  return response;
}

async function countComments(workspace: TestWorkspace): Promise<number | undefined> {
  const [annotation] = await readAnnotations(workspace);
  return annotation?.comments.length;
}

test("a user does not comment in an annotation that is hidden while the comment waits for it", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a"]);
  expect(await addMeanwhile(workspace, "alan", ["grace"])).toMatchObject({ httpStatus: 404 });
  expect(await countComments(workspace)).toBe(1);
  expect(await addMeanwhile(workspace, "grace", ["grace"])).toMatchObject({ httpStatus: 200 });
  expect(await countComments(workspace)).toBe(2);
});

test("a user comments in an annotation that is shown while the comment waits for it", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "a", visibility: { type: "restricted", userIds: ["grace"] } }]);
  expect(await addMeanwhile(workspace, "alan", ["alan"])).toMatchObject({ httpStatus: 200 });
  expect(await countComments(workspace)).toBe(2);
});
