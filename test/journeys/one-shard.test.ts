import pg from "pg";
import { describe, expect, inject, test, vi } from "vitest";
import type { Api } from "../../src/operations.ts";
import { activity } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";

const IS_CITUS = inject("serverUrls").length > 1;

const SCOPE = { organizationId: "acme", documentId: "contract-7" };
const ANNOTATION = { annotationId: "annotation-1", commentData: [{ commentText: "Hello", from: { userId: "ada" } }] };

/** Requests whose statements each run on one shard, once the organization and the document exist. */
const REQUESTS: { [Path in keyof Api]?: Api[Path]["request"] } = {
  "/v2/activities/add": { ...SCOPE, activities: [activity()] },
  "/v2/activities/get": SCOPE,
  "/v2/commentannotations/get": SCOPE,
  "/v2/crdt/get": { ...SCOPE, editorId: "editor-1" },
  "/v2/notifications/get": { ...SCOPE, userId: "ada" },
  "/v2/presence/add": { ...SCOPE, users: [{ userId: "ada" }] },
  "/v2/presence/get": SCOPE,
  "/v2/recordings/get": SCOPE,
};

interface Statement {
  text: string;
  values: unknown[];
}

describe.runIf(IS_CITUS)("on Citus", async () => {
  const service = await startOwnTestService();
  const workspace = await service.workspace();
  await workspace.data("/v2/activities/add", { ...SCOPE, activities: [activity()] });
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [ANNOTATION] });

  test.each(Object.keys(REQUESTS))("%s runs each statement on one shard", async (path) => {
    const request = Object.entries(REQUESTS).find(([known]) => known === path)?.[1];
    const statements = await recordStatements(workspace, path, request);
    expect(statements).not.toEqual([]);
    for (const { text, values } of statements) {
      const rows = await runSql<{ "QUERY PLAN": string }>(service.database, `explain ${text}`, values);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      const taskCounts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count);
      expect(taskCounts, `${text}\n${plan}`).toEqual(plan.includes("Citus") ? ["1"] : []);
    }
  });

  /** Returns the statements that read or write tables during a request, which is warm. */
  async function recordStatements(caller: TestWorkspace, path: string, request: unknown): Promise<Statement[]> {
    await caller.uncheckedResult(path, request);
    const query = vi.spyOn(pg.Client.prototype, "query");
    try {
      await caller.uncheckedResult(path, request);
      const given = query.mock.calls.map(([config]: unknown[]) => config);
      return given.filter(isStatement).filter(({ text }) => /organization_key/.test(text));
    } finally {
      query.mockRestore();
    }
  }
});

function isStatement(given: unknown): given is Statement {
  return typeof given === "object" && given !== null && "text" in given && "values" in given;
}
