import { expect, test } from "vitest";
import { EVENT_KINDS } from "../../../features/event-log/event.ts";
import { changedRecord, countNewer, FEED, feedRequest, newsRequest } from "./news.ts";
import type { Activity } from "./records.ts";

const place = { organizationId: "acme", documentId: "contract-7" };

test("a list without filters asks for the events of its organization or document", () => {
  const activities = { path: "/v2/activities/get", data: { organizationId: "acme", pageSize: 50, userId: undefined } };
  const kinds = ["activity.add", "activity.update", "activity.delete"];
  expect(newsRequest(activities)).toEqual({ organizationId: "acme", kinds });
  expect(newsRequest({ path: "/v2/crdt/get", data: place })).toEqual({
    ...place,
    kinds: ["crdt.update_data", "crdt.delete"],
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
  const thread = (commentId: number) => changedRecord({ ...place, subject: { annotationId: "a", commentId } });
  expect(thread(2)).toBe(thread(1));
  expect(changedRecord({ ...place, subject: { id: "a" } })).toBe(thread(1));
  expect(changedRecord({ documentId: "other", subject: { annotationId: "a" } })).not.toBe(thread(1));
});

test("an annotation has the events of its comments and reactions", () => {
  const kinds = EVENT_KINDS.filter((kind) => kind.startsWith("comment"));
  const request = newsRequest({ path: "/v2/commentannotations/get", data: place });
  expect(request?.kinds?.toSorted()).toEqual(kinds.toSorted());
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
