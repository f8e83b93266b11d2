import { expect, test } from "vitest";
import { EVENT_KINDS } from "../../../features/event-log/event.ts";
import { changedRecord, countNewer, FEED, feedRequest, newsRequest } from "./news.ts";
import type { Activity } from "./records.ts";

const place = { organizationId: "acme", documentId: "contract-7" };

test("a list without filters asks for the events of its organization or document", () => {
  const activities = { path: "/v2/activities/get", data: { organizationId: "acme", pageSize: 50, userId: undefined } };
  const kinds = ["activity.add", "activity.update", "activity.delete", "document.delete", "user_data.deleted"];
  expect(newsRequest(activities)).toEqual({ organizationId: "acme", kinds });
  expect(newsRequest({ path: "/v2/crdt/get", data: place })).toEqual({
    ...place,
    kinds: ["crdt.update_data", "crdt.delete", "document.delete", "user_data.deleted"],
  });
});

test.each([
  ["/v2/activities/get", { organizationId: "acme", userId: "ada" }],
  ["/v2/activities/get", { organizationId: "acme", pageToken: "next" }],
  ["/v2/notifications/get", place.documentId],
  ["/v2/organizations/get", {}],
])("%s with %j does not", (path, data) => {
  expect(newsRequest({ path, data: Object(data) })).toBeUndefined();
});

test("the events of a record have the same key, and those of other records have other keys", () => {
  const list = { path: "/v2/commentannotations/get" };
  const thread = (event: string, subject: object, documentId = place.documentId) =>
    changedRecord(list, { event, documentId, subject: { annotationId: "a", ...subject } });
  const added = thread("comment.add", { commentId: 1 });
  expect(added).toEqual(expect.any(String));
  expect(thread("comment.update", { commentId: 2 })).toBe(added);
  expect(thread("comment_annotation.update", {})).toBe(added);
  expect(thread("comment.add", { commentId: 1 }, "other")).not.toBe(added);
});

test("deletions of a document or of users' data may change any records, and a document's is one of documents", () => {
  const deletion = { event: "document.delete", subject: { id: "contract-7" } };
  expect(changedRecord({ path: "/v2/activities/get" }, deletion)).toBeUndefined();
  expect(changedRecord({ path: "/v2/organizations/documents/get" }, deletion)).toEqual(expect.any(String));
  const ofUsers = { event: "user_data.deleted", subject: { jobId: "job" } };
  expect(changedRecord({ path: "/v2/organizations/documents/get" }, ofUsers)).toBeUndefined();
});

test.each(["/v2/notifications/get", "/v2/organizations/notifications/get"])(
  "%s has the events of notifications, and those of deletions",
  (path) => {
    const kinds = EVENT_KINDS.filter((kind) => kind.startsWith("notification."));
    expect(newsRequest({ path, data: place })?.kinds).toEqual([...kinds, "document.delete", "user_data.deleted"]);
  },
);

test("an annotation has the events of its comments and reactions", () => {
  const kinds = EVENT_KINDS.filter((kind) => kind.startsWith("comment") && kind !== "comment_annotation.read");
  const request = newsRequest({ path: "/v2/commentannotations/get", data: place });
  expect(request?.kinds?.toSorted()).toEqual([...kinds.toSorted(), "document.delete", "user_data.deleted"]);
});

/** Returns activities of IDs, each with the timestamp. */
function activities(ids: string[], timestamp: number, organizationId = "acme"): Activity[] {
  return ids.map((id): Activity => Object({ id, timestamp, metadata: { organizationId } }));
}

test("the first page of the feed looks for activities from its newest on, with its filters", () => {
  const data = { userId: "ada", from: 1, pageSize: 20 };
  const shown = activities(["b", "a"], 7);
  expect(feedRequest({ path: FEED, data }, shown)).toEqual({ userId: "ada", from: 7, pageSize: 50 });
  expect(feedRequest({ path: FEED, data }, [])).toEqual({ userId: "ada", from: 1, pageSize: 50 });
  expect(feedRequest({ path: FEED, data: { pageToken: "next" } }, shown)).toBeUndefined();
  expect(feedRequest({ path: "/v2/activities/get", data: {} }, shown)).toBeUndefined();
});

test("activities before those that the feed shows are new", () => {
  const shown = activities(["b", "a"], 7);
  const isEnd = true;
  expect(countNewer(shown, shown, { isEnd })).toEqual({ count: 0, isIncomplete: false });
  expect(countNewer([...activities(["c"], 7), ...shown], shown, { isEnd: false })).toEqual({
    ...{ count: 1, isIncomplete: false },
  });
  expect(countNewer(activities(["b"], 7, "globex"), shown, { isEnd })).toEqual({ count: 1, isIncomplete: false });
  expect(countNewer(activities(["d", "c"], 8), shown, { isEnd: false })).toEqual({ count: 2, isIncomplete: true });
});
