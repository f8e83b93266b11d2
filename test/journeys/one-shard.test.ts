import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, inject, test, vi } from "vitest";
import type { Api } from "../../src/operations.ts";
import { activity } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { notification } from "../notifications.ts";
import { FULL_RECORDING } from "../recordings.ts";
import { runSql } from "../run-sql.ts";
import { getDatabaseName, runQuery } from "../servers.ts";

const IS_CITUS = inject("serverUrls").length > 1;

const SCOPE = { organizationId: "acme", documentId: "contract-7" };
const USER = { userId: "ada" };
const COMMENT = { commentText: "Hello", from: USER };
const ANNOTATION = { annotationId: "annotation-1", commentData: [COMMENT] };

type Requests = { [Path in keyof Api]?: Api[Path]["request"] | (() => Api[Path]["request"]) };

/** Requests whose statements each are one task of one shard, once the organization and the document exist. */
const ROUTED: Requests = {
  "/v2/activities/get": SCOPE,
  "/v2/auth/permissions/explain": SCOPE,
  "/v2/commentannotations/comments/get": { ...SCOPE, annotationId: "annotation-1" },
  "/v2/commentannotations/get": SCOPE,
  "/v2/crdt/get": { ...SCOPE, editorId: "editor-1" },
  "/v2/notifications/get": { ...SCOPE, userId: "ada" },
  "/v2/presence/add": { ...SCOPE, users: [{ userId: "ada" }] },
  "/v2/presence/get": SCOPE,
  "/v2/recordings/get": SCOPE,
};

/** Requests whose statements Citus runs in parts, each of which is one task. */
const ROUTED_IN_PARTS: Requests = {
  "/v2/activities/add": { ...SCOPE, activities: [activity()] },
  "/v2/commentannotations/comments/add": { ...SCOPE, annotationId: "annotation-1", commentData: [COMMENT] },
  "/v2/crdt/add": () => ({ ...SCOPE, editorId: randomUUID(), type: "text", data: "Hello" }),
};

/** Requests with statements that EXPLAIN cannot plan. Citus reports which shards it asks. */
const COUNTED: Requests = {
  "/v2/commentannotations/add": { ...SCOPE, commentAnnotations: [{ commentData: [COMMENT] }] },
  "/v2/crdt/update": () => ({ ...SCOPE, editorId: "editor-1", type: "text", data: randomUUID() }),
  "/v2/notifications/add": notification(["ada"], SCOPE),
};

/** A command to a shard that belongs to a statement which the service runs each second, whatever is called. */
const POLL_OF_SHARDS = /\b(since|next_at)\b.*<=/;

/** A statement that the service runs each second, whatever is called. */
const POLL = /from crdt_unreported_changes where since/;

/** Further requests that write to one organization. */
const WRITES: Requests = {
  "/v2/commentannotations/comments/update": {
    ...SCOPE,
    annotationId: "annotation-1",
    commentIds: [1],
    updatedData: { commentText: "Hi" },
  },
  "/v2/commentannotations/update": {
    ...SCOPE,
    annotationIds: ["annotation-1"],
    updatedData: { priority: { id: "P1", name: "Urgent", color: "red" } },
  },
  "/v2/livestate/broadcast": { ...SCOPE, liveStateDataId: "state-1", data: { page: 1 } },
  "/v2/organizations/documents/add": () => ({ organizationId: "acme", documents: [{ documentId: randomUUID() }] }),
  "/v2/recordings/add": { ...SCOPE, recordings: [FULL_RECORDING] },
  "/v2/users/add": () => ({
    organizationId: "acme",
    users: [{ userId: randomUUID(), name: "Ada", email: "ada@example.com" }],
  }),
};

/** A command to a shard, and host and port of the node to which Citus sends it. */
interface Command {
  text: string;
  node: string | undefined;
}

interface Statement {
  text: string;
  values: unknown[];
}

describe.runIf(IS_CITUS)("on Citus", async () => {
  const service = await startOwnTestService(async ({ databaseUrl = "" }) => {
    if (IS_CITUS)
      await runQuery(
        databaseUrl,
        `alter database "${getDatabaseName(databaseUrl)}" set citus.log_remote_commands = on`,
      );
    return {};
  });
  const workspace = await service.workspace();
  await addRecords(workspace);

  test.each(Object.entries(ROUTED))("%s runs each statement on one shard", async (path, request) => {
    for (const { plan, taskCounts } of await explain(path, request)) expect(taskCounts, plan).toEqual(["1"]);
  });

  test.each(["/v2/activities/add", "/v2/presence/add"] as const)(
    "%s runs each part of a statement on one shard while somebody listens",
    async (path) => {
      const listened = await service.workspace();
      const { cursor } = await listened.data("/v2/events/get", { organizationId: "acme" });
      const request = { ...ROUTED, ...ROUTED_IN_PARTS }[path];
      for (const { plan, taskCounts } of await explain(path, request, { caller: listened })) {
        expect(new Set(taskCounts), plan).toEqual(new Set(["1"]));
      }
      const { events } = await listened.data("/v2/events/get", { organizationId: "acme", cursor });
      expect(events).not.toEqual([]);
    },
  );

  test.each(Object.entries(ROUTED_IN_PARTS))("%s runs each part of a statement on one shard", async (path, request) => {
    for (const { plan, taskCounts } of await explain(path, request)) {
      expect(new Set(taskCounts), plan).toEqual(new Set(["1"]));
    }
  });

  test.each(Object.entries(COUNTED))("%s sends each statement to one shard", async (path, request) => {
    const shards = await getShards(path, request);
    expect(shards.size).toBeGreaterThan(0);
    for (const [table, ids] of shards) expect([...ids], `shards of ${table}`).toHaveLength(1);
  });

  test.each(Object.entries({ ...ROUTED, ...ROUTED_IN_PARTS, ...COUNTED, ...WRITES }))(
    "%s needs only the node of its organization",
    async (path, request) => {
      const listened = await service.workspace();
      await listened.data("/v2/events/get", { organizationId: "acme" });
      await addRecords(listened);
      for (const caller of [workspace, listened]) {
        const commands = await recordCommands(path, request, caller);
        const texts = commands.map(({ text, node }) => `${node} ${text}`);
        // Commands that the coordinator executes have no node.
        const nodes = new Set(commands.flatMap(({ node }) => node ?? []));
        expect([...nodes], texts.join("\n")).toHaveLength(1);
      }
    },
  );

  test("/v2/commentannotations/add takes the number of an annotation on one shard", async () => {
    const request = COUNTED["/v2/commentannotations/add"];
    const statement = /insert into annotation_counters/;
    const plans = await explain("/v2/commentannotations/add", request, { statement });
    // The counter, and the annotations.
    for (const { plan, taskCounts } of plans) expect(taskCounts, plan).toEqual(["1", "1"]);
  });

  test("/v2/organizations/documents/delete records the purge on one shard", async () => {
    const { organizationId } = SCOPE;
    const ids = ["deleted-1", "deleted-2"];
    const documents = ids.map((documentId) => ({ documentId }));
    await workspace.data("/v2/organizations/documents/add", { organizationId, documents });
    const request = () => ({ organizationId, documentIds: [ids.pop()] });
    const statement = /insert into document_purges/;
    const plans = await explain("/v2/organizations/documents/delete", request, { statement });
    // The insert, and the time of the purge.
    for (const { plan, taskCounts } of plans) expect(taskCounts, plan).toEqual(["1", "1"]);
  });

  /**
   * Returns the plans of the statements that a request runs once it is warm, with the number of tasks of each part. By
   * default, these are the statements that read or write tables of organizations.
   */
  async function explain(
    path: string,
    request: unknown,
    { caller = workspace, statement = /organization_key/ } = {},
  ): Promise<{ plan: string; taskCounts: unknown[] }[]> {
    const call = () => caller.uncheckedResult(path, typeof request === "function" ? request() : request);
    await call();
    const statements = await recordStatements(call, statement);
    expect(statements).not.toEqual([]);
    const plans = statements.map(async ({ text, values }) => {
      const rows = await runSql<{ "QUERY PLAN": string }>(service.database, `explain ${text}`, values);
      const plan = [text, ...rows.map((row) => row["QUERY PLAN"])].join("\n");
      return { plan, taskCounts: [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count) };
    });
    return Promise.all(plans);
  }

  /** Returns the shards of each table that Citus asks during a request, once it is warm. */
  async function getShards(path: string, request: unknown): Promise<Map<string, Set<string>>> {
    const shards = new Map<string, Set<string>>();
    for (const { text } of await recordCommands(path, request)) {
      for (const [, table = "", id = ""] of text.matchAll(/public\.(\w+?)_(\d{6,})\b/g)) {
        shards.set(table, (shards.get(table) ?? new Set()).add(id));
      }
    }
    return shards;
  }

  /** Returns the commands to shards during a request, once it is warm. */
  async function recordCommands(path: string, request: unknown, caller = workspace): Promise<Command[]> {
    const call = () => caller.uncheckedResult(path, typeof request === "function" ? request() : request);
    await call();
    const emit = vi.spyOn(pg.Client.prototype, "emit");
    try {
      await call();
      const { database } = new pg.Client(service.database.connectionConfig);
      const commands = emit.mock.calls.flatMap(([event, notice]: unknown[], index) =>
        event === "notice" && Object(emit.mock.contexts[index]).database === database
          ? [{ text: String(Object(notice).message), node: String(Object(notice).detail).match(/@(\S+)/)?.[1] }]
          : [],
      );
      return commands.filter(({ text }) => !POLL_OF_SHARDS.test(text));
    } finally {
      emit.mockRestore();
    }
  }

  /** Returns the statements during a call whose texts match. */
  async function recordStatements(call: () => Promise<unknown>, statement: RegExp): Promise<Statement[]> {
    const query = vi.spyOn(pg.Client.prototype, "query");
    try {
      await call();
      // Services of other test files may still be working in this process.
      const { database } = new pg.Client(service.database.connectionConfig);
      const given = query.mock.calls.flatMap(([config]: unknown[], index) =>
        Object(query.mock.contexts[index]).database === database ? [config] : [],
      );
      return given.filter(isStatement).filter(({ text }) => statement.test(text) && !POLL.test(text));
    } finally {
      query.mockRestore();
    }
  }
});

async function addRecords(workspace: TestWorkspace): Promise<void> {
  await workspace.data("/v2/activities/add", { ...SCOPE, activities: [activity()] });
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [ANNOTATION] });
  await workspace.data("/v2/crdt/add", { ...SCOPE, editorId: "editor-1", type: "text", data: "Hello" });
}

function isStatement(given: unknown): given is Statement {
  return typeof given === "object" && given !== null && "text" in given && "values" in given;
}
