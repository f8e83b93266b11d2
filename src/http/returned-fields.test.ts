import { expect, test } from "vitest";
import { addAnnotations } from "../../test/comments.ts";
import { addActivities, SCOPE } from "../../test/factories.ts";
import { startTestService } from "../../test/harness.ts";
import { callWith, tokenFor } from "../../test/user-tokens.ts";

const service = await startTestService();
const { organizationId } = SCOPE;

test("an auth token that may not read learns nothing about a record by sending it", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "a", timestamp: 5 }]);
  const { authToken } = await workspace.data("/v2/workspace/authtokens/add", { name: "write", scopes: ["write"] });
  const sendTime = async (timestamp: number) => {
    const data = { organizationId, activities: [{ id: "a", timestamp }] };
    return (await workspace.call("/v2/activities/update", data, { "x-service-auth-token": authToken })).body;
  };
  expect(await sendTime(5)).toMatchObject({ error: { details: { reason: "unknown_field" } } });
  expect(await sendTime(5)).toEqual(await sendTime(6));
});

test("a small request does not read more records than fit into memory to compare them", async () => {
  const workspace = await service.workspace();
  const context = { text: "x".repeat(1024 * 1024) };
  const annotationIds = Array.from({ length: 18 }, (_, number) => `a${number}`);
  for (const annotationId of annotationIds) await addAnnotations(workspace, [{ annotationId, context }]);
  const sendTime = async (ids: string[]) => {
    const data = { ...SCOPE, annotationIds: ids, updatedData: { lastUpdated: 1 } };
    return (await workspace.error("/v2/commentannotations/update", data)).message;
  };
  expect(await sendTime(annotationIds)).not.toContain("differs from what is stored");
  expect(await sendTime(annotationIds.slice(0, 7))).toContain("differs from what is stored");
});

test("a field of a user's request that differs from what is stored is reported once", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "a" }]);
  const data = { ...SCOPE, annotationIds: ["a"], updatedData: { lastUpdated: 1 } };
  const url = `${service.address}/v2/commentannotations/update`;
  const { body } = await callWith(await tokenFor(workspace, "ada"), url, data);
  const message = expect.stringContaining("differs from what is stored");
  expect(Object(body).error.details.issues).toEqual([{ path: "data.updatedData.lastUpdated", message }]);
});
