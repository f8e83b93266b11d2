import { describe, expect, test } from "vitest";
import { addAnnotations, comment } from "../../../test/comments.ts";
import { eventReader, getEvents, workspaceWithDocument } from "../../../test/events.ts";
import { eventually } from "../../../test/eventually.ts";
import { activity, addActivities, SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { untilWaiting } from "../../../test/lock-waits.ts";
import { runSql } from "../../../test/run-sql.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { deleteOldEvents } from "../event-log/event-log-queries.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";

const service = await startOwnTestService();
const second = await service.secondProcess();
const GET = "/v2/events/get";
const IN_ACME = { organizationId: SCOPE.organizationId };

/** Begins to listen to a new workspace with a document. Returns the cursor from which to read. */
async function listenedWorkspace(): Promise<{ workspace: TestWorkspace; cursor: string }> {
  const workspace = await workspaceWithDocument(service);
  const { cursor } = await getEvents(workspace);
  return { workspace, cursor };
}

test("an added activity is an event with the record that get returns", async () => {
  const { workspace, cursor } = await listenedWorkspace();
  await addActivities(workspace, ["one"]);
  const { events, isReset } = await getEvents(workspace, { cursor });
  const [record] = await workspace.data("/v2/activities/get", { ...SCOPE, activityIds: ["one"] });
  expect(isReset).toBeUndefined();
  expect(events).toEqual([
    {
      ...{ event: "activity.add", ...SCOPE, timestamp: expect.any(Number) },
      ...{ subject: { id: "one" }, cursor: expect.any(String), record },
    },
  ]);
});

test("without a cursor no events are returned, and the cursor is after all of them", async () => {
  const { workspace } = await listenedWorkspace();
  await addActivities(workspace, ["one"]);
  const { events, cursor } = await getEvents(workspace);
  expect(events).toEqual([]);
  expect(await getEvents(workspace, { cursor })).toEqual({ events: [], cursor });
});

test("a workspace to which nobody listens writes no events", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["one"]);
  await addAnnotations(workspace, ["a"]);
  const written = await runSql(service.database, "select from events where organization_key = $1", [
    organizationKey(workspace.id, "acme"),
  ]);
  expect(written).toEqual([]);
});

test("the first user token of a workspace begins its event log", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["unlogged"]);
  await tokenFor(workspace, "ada");
  await addActivities(workspace, ["one"]);
  const rows = await runSql(service.database, "select kind from events where organization_key = $1", [
    organizationKey(workspace.id, "acme"),
  ]);
  expect(rows).toEqual([{ kind: "activity.add" }]);
});

test("the events of a call are in the order of its activities, whatever their IDs", async () => {
  const { workspace, cursor } = await listenedWorkspace();
  const changes = eventReader(workspace, cursor);
  const ids = Array.from({ length: 12 }, (_, index) => String.fromCharCode(122 - index));
  await addActivities(workspace, ids);
  expect(await changes()).toEqual(ids.map((id) => ["activity.add", { id }]));
});

test("each change of activities is an event", async () => {
  const { workspace, cursor } = await listenedWorkspace();
  const changes = eventReader(workspace, cursor);
  await addActivities(workspace, ["one", "two"]);
  expect(await changes()).toEqual(["one", "two"].map((id) => ["activity.add", { id }]));
  await workspace.data("/v2/activities/update", { ...IN_ACME, activities: [{ id: "one", actionIcon: "x" }] });
  expect(await changes()).toEqual([["activity.update", { id: "one" }]]);
  await workspace.data("/v2/activities/delete", { ...IN_ACME, activityIds: ["one", "missing"] });
  expect(await changes()).toEqual([["activity.delete", { id: "one" }]]);
});

test("each change of comments is an event", async () => {
  const { workspace, cursor } = await listenedWorkspace();
  const changes = eventReader(workspace, cursor);
  const of = { ...SCOPE, annotationId: "a" };
  const subject = (commentId: number) => ({ annotationId: "a", commentId });
  const commentData = [1, 2].map((commentId) => comment({ commentId }));
  await addAnnotations(workspace, [{ annotationId: "a", commentData }]);
  expect(await changes()).toEqual([
    ["comment_annotation.add", { annotationId: "a" }],
    ["comment.add", subject(2)],
  ]);
  await workspace.data("/v2/commentannotations/comments/add", { ...of, commentData: [comment({ commentId: 3 })] });
  expect(await changes()).toEqual([["comment.add", subject(3)]]);
  const updatedData = { commentText: "sixty days" };
  await workspace.data("/v2/commentannotations/comments/update", { ...of, commentIds: [3, 4], updatedData });
  expect(await changes()).toEqual([["comment.update", subject(3)]]);
  const reaction = { reaction: "👍", from: { userId: "ada" } };
  for (const path of ["/v2/reactions/add", "/v2/reactions/add", "/v2/reactions/delete"] as const) {
    await workspace.data(path, { ...of, commentId: 3, ...reaction });
  }
  expect(await changes()).toEqual([
    ["comment.reaction_add", { ...subject(3), reaction: "👍" }],
    ["comment.reaction_delete", { ...subject(3), reaction: "👍" }],
  ]);
  await workspace.data("/v2/commentannotations/update", {
    ...SCOPE,
    updatedData: { priority: { id: "high" }, assignedTo: { userId: "grace" } },
  });
  expect(await changes()).toEqual([
    ["comment_annotation.assign", { annotationId: "a" }],
    ["comment_annotation.priority_change", { annotationId: "a" }],
  ]);
  await workspace.data("/v2/commentannotations/update", { ...SCOPE, updatedData: { context: { clause: 3 } } });
  expect(await changes()).toEqual([["comment_annotation.update", { annotationId: "a" }]]);
  await workspace.data("/v2/commentannotations/comments/delete", { ...of, commentIds: [3] });
  expect(await changes()).toEqual([["comment.delete", subject(3)]]);
  await workspace.data("/v2/commentannotations/delete", SCOPE);
  expect(await changes()).toEqual([
    ["comment.delete", subject(1)],
    ["comment.delete", subject(2)],
    ["comment_annotation.delete", { annotationId: "a" }],
  ]);
});

test("filters by document and kind leave the other events out, and the cursor passes them", async () => {
  const { workspace, cursor } = await listenedWorkspace();
  await addActivities(workspace, ["here"]);
  await addActivities(workspace, ["there"], { documentId: "other" });
  await addAnnotations(workspace, ["a"]);
  const request = { cursor, documentId: SCOPE.documentId, kinds: ["activity.add" as const] };
  const { events, cursor: next } = await getEvents(workspace, request);
  expect(events.map(({ subject }) => subject)).toEqual([{ id: "here" }]);
  expect(await getEvents(workspace, { cursor: next })).toEqual({ events: [], cursor: next });
});

test("pages follow each other without gap or repetition", async () => {
  const { workspace, cursor: first } = await listenedWorkspace();
  const ids = Array.from({ length: 7 }, (_, index) => `activity-${index}`);
  await addActivities(workspace, ids);
  const read: unknown[] = [];
  for (let cursor = first, count = -1; count !== 0; ) {
    const page = await getEvents(workspace, { cursor, pageSize: 3 });
    read.push(...page.events.map(({ subject }) => Object(subject).id));
    cursor = page.cursor;
    count = page.events.length;
  }
  expect(read).toEqual(ids);
});

describe("a reader who waits", () => {
  test.each([0, 1])("gets an event of process %s", async (process) => {
    const { workspace, cursor } = await listenedWorkspace();
    const waiting = getEvents(workspace, { cursor, waitSeconds: 20 });
    await addActivities(process === 0 ? workspace : workspace.at(second.address), ["one"]);
    expect((await waiting).events).toMatchObject([{ subject: { id: "one" } }]);
  });

  test("gets an event without a notification of its process, as after a process was killed", async () => {
    const { workspace, cursor } = await listenedWorkspace();
    const waiting = getEvents(workspace, { cursor, waitSeconds: 20, kinds: ["activity.delete"] });
    const key = organizationKey(workspace.id, "acme");
    await service.database.transaction(async (transaction) => {
      await runSql(transaction, "insert into event_positions values ($1, 1)", [key]);
      await runSql(
        transaction,
        `insert into events (organization_key, position, created_at, kind, document_id, audience, subject)
         values ($1, 1, 1, 'activity.delete', 'contract-7', 'document', '{"id":"one"}')`,
        [key],
      );
    });
    expect((await waiting).events).toMatchObject([{ event: "activity.delete", subject: { id: "one" } }]);
  });

  test("returns the same cursor after the time without events", async () => {
    const { workspace, cursor } = await listenedWorkspace();
    expect(await getEvents(workspace, { cursor, waitSeconds: 1 })).toEqual({ events: [], cursor });
  });

  test("with a token that is revoked meanwhile gets nothing", async () => {
    // On a busy machine, the reader may come to read only after the revocation, and then does not wait.
    await eventually(async () => {
      const { workspace, cursor } = await listenedWorkspace();
      const token = await tokenFor(workspace, "ada");
      const waiting = callWith(token, `${service.address}${GET}`, { ...IN_ACME, cursor, waitSeconds: 20 });
      await workspace.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
      await addActivities(workspace, ["one"]);
      expect(await waiting).toMatchObject({ httpStatus: 403 });
    });
  });
});

test("concurrent writers of two processes skip no event of a reader", async () => {
  const { workspace, cursor: first } = await listenedWorkspace();
  const ids = Array.from({ length: 120 }, (_, index) => `activity-${index}`);
  const callers = [workspace, workspace.at(second.address)];
  const writing = Promise.all(ids.map((id, index) => addActivities(callers[index % 2] ?? workspace, [id])));
  const read: unknown[] = [];
  for (let cursor = first; read.length < ids.length; ) {
    const page = await getEvents(workspace, { cursor, waitSeconds: 20 });
    expect(page.isReset).toBeUndefined();
    read.push(...page.events.map(({ subject }) => Object(subject).id));
    cursor = page.cursor;
  }
  await writing;
  expect(read.toSorted()).toEqual(ids.toSorted());
});

test("an event that commits late is read before one that began later", async () => {
  const { workspace, cursor } = await listenedWorkspace();
  const key = organizationKey(workspace.id, "acme");
  await addActivities(workspace, ["before"]);
  const read = eventReader(workspace, cursor);
  expect(await read()).toEqual([["activity.add", { id: "before" }]]);
  const writing = await service.database.transaction(async (transaction) => {
    const next = "update event_positions set position = position + 1 where organization_key = $1";
    await runSql(transaction, next, [key]);
    await runSql(
      transaction,
      `insert into events (organization_key, position, created_at, kind, document_id, audience, subject)
       select organization_key, position, floor(extract(epoch from statement_timestamp()) * 1000), 'activity.delete',
         'contract-7', 'document', '{"id":"late"}'
       from event_positions where organization_key = $1`,
      [key],
    );
    const adding = addActivities(workspace.at(second.address), ["later"]);
    await untilWaiting(service.database);
    expect(await read()).toEqual([]);
    return { adding };
  });
  await writing.adding;
  expect(await read()).toEqual([
    ["activity.delete", { id: "late" }],
    ["activity.add", { id: "later" }],
  ]);
});

describe("a cursor", () => {
  test.each([
    ["of another workspace", async () => (await listenedWorkspace()).cursor],
    [
      "of another organization",
      async (workspace: TestWorkspace) => (await workspace.data(GET, { organizationId: "globex" })).cursor,
    ],
    ["that nobody has made", async () => "AAAA"],
  ])("%s is INVALID_ARGUMENT", async (_, getCursor) => {
    const { workspace } = await listenedWorkspace();
    const error = await workspace.error(GET, { ...IN_ACME, cursor: await getCursor(workspace) });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
  });

  test("before events that are no longer kept starts again", async () => {
    const { workspace, cursor } = await listenedWorkspace();
    await addActivities(workspace, ["old"]);
    await deleteOldEvents(acrossOrganizations(service.database), -60_000, 1_000);
    await addActivities(workspace, ["new"]);
    const response = await getEvents(workspace, { cursor });
    expect(response).toEqual({ events: [], cursor: expect.any(String), isReset: true });
    await addActivities(workspace, ["newer"]);
    const { events } = await getEvents(workspace, { cursor: response.cursor });
    expect(events.map(({ subject }) => subject)).toEqual([{ id: "newer" }]);
  });

  test("from before a time in which nobody listened starts again", async () => {
    const workspace = await service.workspace();
    const { cursor } = await getEvents(workspace);
    // The row is what the cached workspace is read from, so another process, which has not read it yet, is asked.
    await runSql(service.database, "update workspaces set events_until = 1 where id = $1", [workspace.id]);
    expect(await getEvents(workspace.at(second.address), { cursor })).toMatchObject({ isReset: true });
  });
});

test("a failed call writes no event", async () => {
  const { workspace, cursor } = await listenedWorkspace();
  await workspace.error("/v2/activities/add", { ...SCOPE, activities: [activity(), { featureType: "comment" }] });
  await workspace.error("/v2/reactions/add", {
    ...{ ...SCOPE, annotationId: "missing", commentId: 1, reaction: "👍", from: { userId: "ada" } },
  });
  expect(await getEvents(workspace, { cursor })).toEqual({ events: [], cursor });
});

test("the users and the presence of a document have records of their own in one response", async () => {
  const { workspace, cursor } = await listenedWorkspace();
  await workspace.data("/v2/presence/add", { ...SCOPE, users: [{ userId: "ada", status: "away" }] });
  await workspace.data("/v2/users/add", { ...SCOPE, users: [{ userId: "ada", name: "Ada" }, { userId: "bob" }] });
  const { events } = await getEvents(workspace, { cursor });
  expect(events.map(({ event, record }) => [event, Object(record).userId, Object(record).status])).toEqual([
    ["presence.update", "ada", "away"],
    ["access.update", undefined, undefined],
    ["user.update", "ada", undefined],
    ["user.update", "bob", undefined],
  ]);
});
