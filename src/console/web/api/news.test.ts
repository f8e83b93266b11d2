import { expect, test } from "vitest";
import { countRecords, newsRequest } from "./news.ts";

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

test("several events of a record count once", () => {
  const thread = (commentId: number) => ({ ...place, subject: { annotationId: "a", commentId } });
  expect(countRecords([thread(1), thread(2), { ...place, subject: { id: "a" } }])).toBe(1);
  expect(countRecords([thread(1), { documentId: "other", subject: { annotationId: "a" } }])).toBe(2);
});
