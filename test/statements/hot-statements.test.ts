import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, inject, test } from "vitest";
import { STATEMENTS } from "../../src/database/database.ts";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import type { Api } from "../../src/operations.ts";
import { getEvents } from "../events.ts";
import { eventually } from "../eventually.ts";
import { activity } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { notification } from "../notifications.ts";
import { FULL_RECORDING } from "../recordings.ts";
import { asQuery } from "./recorder.ts";

// The final texts of the statements of frequent requests stand in the files beside this one, so that a change of a
// fragment shows in review in each statement that has it. `npx vitest run test/statements -u` writes them.

const IS_CITUS = inject("serverUrls").length > 1;
// No workspace of it has webhooks, whose statements after a commit name the organization too.
const service = await startOwnTestService();

const SCOPE = { organizationId: "acme", documentId: "contract-7" };
const COMMENT = { commentText: "Hello", from: { userId: "ada" } };
const ANNOTATION = { annotationId: "annotation-1", commentData: [COMMENT] };
const EDITOR = { ...SCOPE, editorId: "editor-1" };

type Requests = { [Path in keyof Api]?: () => Api[Path]["request"] };

/** Writes, in the order in which they create what the others need. */
const WRITES: Requests = {
  "/v2/activities/add": () => ({ ...SCOPE, activities: [activity()] }),
  "/v2/commentannotations/add": () => ({ ...SCOPE, commentAnnotations: [{ commentData: [COMMENT] }] }),
  "/v2/commentannotations/comments/add": () => ({ ...SCOPE, annotationId: "annotation-1", commentData: [COMMENT] }),
  "/v2/crdt/update": () => ({ ...EDITOR, type: "text", data: randomUUID() }),
  "/v2/livestate/broadcast": () => ({ ...SCOPE, liveStateDataId: "state-1", data: { page: 1 } }),
  "/v2/notifications/add": () => notification(["ada"], SCOPE),
  "/v2/presence/add": () => ({ ...SCOPE, users: [{ userId: "ada" }] }),
  "/v2/recordings/add": () => ({ ...SCOPE, recordings: [FULL_RECORDING] }),
};

const READS: Requests = {
  "/v2/activities/get": () => SCOPE,
  "/v2/commentannotations/comments/get": () => ({ ...SCOPE, annotationId: "annotation-1" }),
  "/v2/commentannotations/get": () => SCOPE,
  "/v2/crdt/get": () => EDITOR,
  "/v2/livestate/get": () => SCOPE,
  "/v2/notifications/get": () => ({ ...SCOPE, userId: "ada" }),
  "/v2/presence/get": () => SCOPE,
  "/v2/recordings/get": () => SCOPE,
};

async function createWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.result("/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [ANNOTATION] });
  await workspace.result("/v2/crdt/add", { ...EDITOR, type: "text", data: "Hello" });
  return workspace;
}

/** Returns the statements about the workspace's organization that a request sends, in their order. */
async function getStatements(workspace: TestWorkspace, path: string, request: object): Promise<string> {
  const key = organizationKey(workspace.id, SCOPE.organizationId);
  const texts: string[] = [];
  const record = (message: unknown) => {
    const { text, values } = asQuery(message);
    // Polls, which run at the same time, name no organization.
    if (values.includes(key)) texts.push(text);
  };
  subscribe(STATEMENTS, record);
  await workspace.uncheckedResult(path, request);
  unsubscribe(STATEMENTS, record);
  return texts.map((text) => `${text.trim()};\n`).join("\n");
}

/** Returns the path of the file, next to this one, with the statements of an operation. */
function getFile(path: string, suffix = ""): string {
  return `./${path.slice("/v2/".length).replaceAll("/", "-")}${suffix}.sql`;
}

const requests = Object.entries({ ...WRITES, ...READS });

test.skipIf(IS_CITUS).each(requests)("the statements of %s are those in its file", async (path, buildRequest) => {
  const workspace = await createWorkspace();
  const statements = await getStatements(workspace, path, buildRequest());
  expect(statements).not.toBe("");
  await expect(statements).toMatchFileSnapshot(getFile(path));
});

test.skipIf(IS_CITUS).each(Object.entries(WRITES))(
  "the statements of %s while somebody listens are those in its file",
  async (path, buildRequest) => {
    const workspace = await createWorkspace();
    await getEvents(workspace, SCOPE);
    // The process learns a moment later that somebody listens.
    const add = { ...SCOPE, activities: [activity()] };
    await eventually(async () => {
      expect(await getStatements(workspace, "/v2/activities/add", add)).toContain("event_positions");
    });
    const statements = await getStatements(workspace, path, buildRequest());
    await expect(statements).toMatchFileSnapshot(getFile(path, "-listened"));
  },
);
