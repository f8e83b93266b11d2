import { expect, test } from "vitest";
import { addAnnotations, changeAnnotations, comment, readAnnotationIds } from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";

const service = await startTestService();
const reason = { title: "No period", description: "The clause has no period.", severity: "high" as const };
const NONE: string[] = [];
const PAGE = "https://app.example.com/page";

function by(agentId: string, fields: { agentSource?: string; executionId?: string; url?: string } = {}) {
  return [comment({ agent: { agentSource: "external", agentName: "Checker", agentId, reason, ...fields } })];
}

/** Adds annotations of agents and of a user, and one that is resolved. */
async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [
    { annotationId: "a", commentData: by("checker", { executionId: "run-1", url: `${PAGE}/1` }) },
    { annotationId: "b", type: "suggestion", commentData: by("checker", { executionId: "run-2", url: `${PAGE}/2` }) },
    { annotationId: "c", type: "suggestion", commentData: by("speller", { agentSource: "service", url: "no URL" }) },
    { annotationId: "d", type: "suggestion" },
    { annotationId: "e", status: { id: "DONE" } },
  ]);
  await addAnnotations(workspace, [{ annotationId: "f", commentData: by("checker") }], { documentId: "other" });
  const accepted = { annotationIds: ["c"], updatedData: { suggestion: { status: "accepted" as const } } };
  await changeAnnotations(workspace, "update", accepted);
  await changeAnnotations(workspace, "update", { annotationIds: ["e"], updatedData: { resolvedByUserId: "grace" } });
  return workspace;
}

test.each([
  ["agentId", { agentId: "checker" }, ["a", "b", "f"]],
  ["agentId in a document", { agentId: "checker", documentId: SCOPE.documentId }, ["a", "b"]],
  ["executionId", { executionId: "run-2" }, ["b"]],
  ["agentType", { agentType: "built-in" as const }, ["c"]],
  ["another agentType", { agentType: "external" as const, documentId: SCOPE.documentId }, ["a", "b"]],
  ["a type without agents", { agentType: "custom" as const }, []],
  ["agentSource", { agentSource: "service" }, ["c"]],
  ["agentSuggestions", { agentSuggestions: true }, ["b"]],
  ["agentComments", { agentComments: true }, ["a", "b", "c", "f"]],
  ["agentComments in a document", { agentComments: true, documentId: SCOPE.documentId }, ["a", "b", "c"]],
  ["agentComments false", { agentComments: false, agentId: "speller" }, ["c"]],
  ["an agent and a status", { agentId: "checker", statusId: "DONE" }, []],
  ["resolvedBy", { resolvedBy: "grace" }, ["e"]],
  ["statusId", { statusId: "DONE" }, ["e"]],
  ["statusId and statusIds", { statusId: "DONE", statusIds: ["OPEN"] }, []],
])("%s: matching annotations are returned", async (_title, filters, expected) => {
  const workspace = await filledWorkspace();
  expect(await readAnnotationIds(workspace, filters)).toEqual(expected);
  expect(await readAnnotationIds(workspace, { ...filters, pageSize: 1 })).toEqual(expected);
});

test("two filters by agent in a request are INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const request = { organizationId: SCOPE.organizationId, agentId: "checker", agentSuggestions: true };
  const error = await workspace.error("/v2/commentannotations/get", request);
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: "data" }] } });
});

test.each([
  ["agentId", { agentId: "checker" }, ["a", "b"]],
  ["agentSuggestions", { agentSuggestions: true as const }, ["b"]],
  ["agentUrls", { agentUrls: ["HTTPS://APP.example.com:443/page/1", "no URL"] }, ["a"]],
  ["agentId and agentUrls", { agentId: "speller", agentUrls: [`${PAGE}/1`] }, NONE],
  [
    "all of them",
    { agentId: "checker", agentSuggestions: true as const, agentUrls: [`${PAGE}/1`, `${PAGE}/2`] },
    ["b"],
  ],
])("%s: only annotations of the document that match all of it are deleted", async (_title, filters, expected) => {
  const workspace = await filledWorkspace();
  expect(Object.keys(await changeAnnotations(workspace, "delete", filters))).toEqual(expected);
  const left = ["a", "b", "c", "d", "e", "f"].filter((id) => !expected.includes(id));
  expect(await readAnnotationIds(workspace)).toEqual(left);
});

test.each([
  ["no URLs", { agentUrls: [] }, "data.agentUrls"],
  ["no usable URL", { agentUrls: ["", "no URL", "/page/1"] }, "data.agentUrls"],
  ["agentSuggestions false", { agentSuggestions: false }, "data.agentSuggestions"],
])("%s is INVALID_ARGUMENT and deletes nothing", async (_title, filters, path) => {
  const workspace = await filledWorkspace();
  const error = await workspace.error("/v2/commentannotations/delete", { ...SCOPE, ...filters });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path }] } });
  expect(await readAnnotationIds(workspace)).toHaveLength(6);
});
