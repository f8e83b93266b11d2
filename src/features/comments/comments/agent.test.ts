import { expect, test } from "vitest";
import { addAnnotations, addComments, comment, readAnnotations, readComments } from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";

const service = await startTestService();

const AGENT = {
  agentSource: "external",
  agentId: "checker",
  agentName: "Contract checker",
  executionId: "run-1",
  url: "https://app.example.com/contract-7",
  reason: {
    title: "No period",
    description: "The clause has no period.",
    severity: "high" as const,
    findingId: "finding-1",
    findingType: "text" as const,
    issueType: "missing",
    confidence: 87.5,
    suggestion: "thirty days",
    suggestedFix: "Add a period.",
    htmlSnippet: "<p>…</p>",
    htmlSelector: "p:nth-child(3)",
    source: "knowledge" as const,
    knowledgeSection: "Periods",
    further: { ["__proto__"]: [null] },
  },
};
const BY_AGENT = comment({ agent: AGENT });

test("the agent of the first comment is the agent of the annotation, and the response has its findingId", async () => {
  const workspace = await service.workspace();
  const added = await addAnnotations(workspace, [{ annotationId: "a", commentData: [BY_AGENT, comment()] }, "b"]);
  expect(added).toMatchObject({ a: { annotationId: "a", findingId: "finding-1", commentIds: [1, 2] } });
  expect(added.b).not.toHaveProperty("findingId");
  const [b, a] = await readAnnotations(workspace);
  expect(a).toMatchObject({ sourceType: "agent", agent: { ...AGENT, agentType: "external" } });
  expect(a?.comments[0]).toMatchObject({ sourceType: "agent", agent: AGENT });
  expect(a?.comments[1]).not.toHaveProperty("sourceType");
  expect(b).toMatchObject({ sourceType: "rest-api" });
  expect(b).not.toHaveProperty("agent");
  const again = await addAnnotations(workspace, [{ annotationId: "a", commentData: [BY_AGENT] }]);
  expect(again).toMatchObject({ a: { success: false, findingId: "finding-1" } });
});

test("an agent whose source is a header prefix of the service needs no name and is built in", async () => {
  const workspace = await service.workspace();
  const { agentName: _, ...unnamed } = { ...AGENT, agentSource: "service" };
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ agent: unnamed })] }]);
  const [record] = await readAnnotations(workspace);
  expect(record?.agent).toEqual({ ...unnamed, agentType: "built-in" });
});

test("a later comment of an agent does not make the annotation one of the agent", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a"]);
  await addComments(workspace, [BY_AGENT]);
  expect((await readComments(workspace))[1]).toMatchObject({ sourceType: "agent", agent: AGENT });
  expect(await readAnnotations(workspace)).toMatchObject([{ sourceType: "rest-api" }]);
});

const FIELD = "data.commentAnnotations[0].commentData[0].agent";
test.each([
  ["an unknown source", { ...AGENT, agentSource: "acme" }, `${FIELD}.agentSource`],
  ["no name of an external agent", { ...AGENT, agentName: undefined }, FIELD],
  ["no reason", { ...AGENT, reason: undefined }, `${FIELD}.reason`],
  ["an unknown severity", { ...AGENT, reason: { ...AGENT.reason, severity: "huge" } }, `${FIELD}.reason.severity`],
  ["a confidence over 100", { ...AGENT, reason: { ...AGENT.reason, confidence: 101 } }, `${FIELD}.reason.confidence`],
  ["a further field of the agent", { ...AGENT, agentVersion: "2" }, `${FIELD}.agentVersion`],
])("%s is INVALID_ARGUMENT, and nothing is added", async (_title, agent, path) => {
  const workspace = await service.workspace();
  const commentAnnotations = [{ commentData: [{ ...comment(), agent }] }];
  const error = await workspace.error("/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path }] } });
  expect(await readAnnotations(workspace)).toEqual([]);
});
