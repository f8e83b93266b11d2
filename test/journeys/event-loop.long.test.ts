import { expect, test } from "vitest";
import { expectResponsiveEventLoop, KEYS, MANY_KEYS_RATIO, numbered, ON_BUSY_MACHINES } from "../event-loop.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";

const ADD = "/v2/activities/add";
const service = await startTestService();
const workspace = await service.workspace();

test.each([
  ["98,000 different keys", KEYS, MANY_KEYS_RATIO],
  ["98,000 numbers", Array(98_000).fill(1e-300), 1.7],
  ["a text of escaped characters", "\u0000".repeat(340_000), 1.7],
  ["a text of lone surrogates", "\ud800".repeat(340_000), 1.7],
])("a large body of %s does not block the event loop for long", ON_BUSY_MACHINES, async (_title, entityData, ratio) => {
  const activity = { featureType: "comment", actionType: "comment.add", actionUser: { userId: "ada" }, entityData };
  const body = JSON.stringify({ data: { ...SCOPE, activities: [activity] } });
  const added = workspace.call(ADD, body);
  await expectResponsiveEventLoop(added, ratio);
  expect(await added).toMatchObject({ httpStatus: 200 });
});

/** Returns 500 items with these IDs and 190 fields each, whose names all differ. */
function getItems(idField: string): object[] {
  return Array.from({ length: 500 }, (_, item) => ({
    ...numbered(190, (number) => `${item} ${number}`),
    [idField]: `item ${item}`,
  }));
}

/** Returns the same items without further fields. */
function getNames(idField: string): object[] {
  return Array.from({ length: 500 }, (_, item) => ({ [idField]: `item ${item}` }));
}

const NOTIFICATION = { notificationId: "large", actionUser: { userId: "ada" }, notifyUsers: [{ userId: "ada" }] };
const ACTIVITY = { id: "large", featureType: "comment", actionType: "a", actionUser: { userId: "ada" } };
const { organizationId } = SCOPE;

const AUTHOR = { userId: "ada" };
const FEW_COMMENTS = { annotationId: "large", commentData: [{ commentText: "a", from: AUTHOR }] };
const MANY_FIELDS = numbered(98_000, (number) => `field ${number}`);
const LARGE_COMMENT = { commentId: 7, commentText: "a", from: AUTHOR, context: MANY_FIELDS };
const ANNOTATION = { annotationId: "large", documentId: SCOPE.documentId, organizationId };

type Call = [path: string, data: object];
test.each<[...Call, ...before: Call[]]>([
  ["/v2/organizations/add", { organizations: getItems("organizationId") }],
  ["/v2/organizations/documents/add", { organizationId, documents: getItems("documentId") }],
  [
    "/v2/organizations/documents/update",
    { organizationId, documents: getItems("documentId") },
    ["/v2/organizations/documents/add", { organizationId, documents: getNames("documentId") }],
  ],
  [
    "/v2/users/update",
    { organizationId, users: getItems("userId") },
    ["/v2/users/add", { organizationId, users: getNames("userId") }],
  ],
  [
    "/v2/notifications/update",
    { ...SCOPE, notifications: [{ id: "large", metadata: numbered(98_000, (number) => `field ${number}`) }] },
    [
      "/v2/notifications/add",
      { ...SCOPE, ...NOTIFICATION, displayHeadlineMessageTemplate: "a", displayBodyMessage: "b" },
    ],
  ],
  ["/v2/crdt/add", { ...SCOPE, editorId: "large", type: "map", data: MANY_FIELDS }],
  [
    "/v2/crdt/update",
    { ...SCOPE, editorId: "changed", type: "map", data: MANY_FIELDS },
    ["/v2/crdt/add", { ...SCOPE, editorId: "changed", type: "map", data: {} }],
  ],
  [
    "/v2/commentannotations/comments/add",
    { ...ANNOTATION, commentData: [LARGE_COMMENT] },
    ["/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [FEW_COMMENTS] }],
  ],
  [
    "/v2/commentannotations/comments/update",
    { ...ANNOTATION, commentIds: [7], updatedData: { context: { ...MANY_FIELDS, last: 2 } } },
    [
      "/v2/commentannotations/add",
      { ...SCOPE, commentAnnotations: [{ ...FEW_COMMENTS, commentData: [LARGE_COMMENT] }] },
    ],
  ],
])("a large body of %s does not block the event loop for long", ON_BUSY_MACHINES, async (path, data, ...before) => {
  const own = await service.workspace();
  for (const call of before) expect(await own.call(...call)).toMatchObject({ httpStatus: 200 });
  const done = own.call(path, JSON.stringify({ data }));
  await expectResponsiveEventLoop(done);
  const response = await done;
  expect(response.httpStatus).toBe(200);
  expect(JSON.stringify(response.body)).not.toContain('"success":false');
});

test("adding a large immutable activity again does not block the event loop for long", ON_BUSY_MACHINES, async () => {
  const own = await service.workspace();
  await own.data("/v2/workspace/activityconfig/update", {
    activityServiceConfig: { isEnabled: true, immutable: true },
  });
  const entityData = numbered(98_000, (number) => `field ${number}`);
  const body = JSON.stringify({ data: { ...SCOPE, activities: [{ ...ACTIVITY, entityData }] } });
  expect(await own.call(ADD, body)).toMatchObject({ httpStatus: 200 });
  const again = own.call(ADD, body);
  await expectResponsiveEventLoop(again);
  expect(await again).toMatchObject({ httpStatus: 200 });
  const [item] = JSON.parse(body).data.activities;
  const last = { ...item.entityData, "field 97999": 2 };
  const reordered = { ...item, entityData: Object.fromEntries(Object.entries(item.entityData).reverse()) };
  for (const [other, httpStatus] of [
    [{ ...item, actionType: "b" }, 409],
    [{ ...item, entityData: last }, 409],
    [reordered, 200],
  ]) {
    const compared = own.call(ADD, JSON.stringify({ data: { ...SCOPE, activities: [other] } }));
    await expectResponsiveEventLoop(compared);
    expect(await compared).toMatchObject({ httpStatus });
  }
});

test.each([
  ["60,000 unknown fields", numbered(60_000, (number) => `organizationIe${number}`)],
  ["500 items of 190 unknown fields", { activities: Array(500).fill(numbered(190, (number) => `actionTyp${number}`)) }],
  ["100 unknown fields of 18 kB", numbered(100, (number) => number + "~/".repeat(9_000))],
])("an invalid body with %s does not block the event loop for long", ON_BUSY_MACHINES, async (_title, data) => {
  const rejected = workspace.call(ADD, JSON.stringify({ data }));
  await expectResponsiveEventLoop(rejected);
  expect(await rejected).toMatchObject({ httpStatus: 400, body: { error: { details: { reason: "unknown_field" } } } });
});

test("rejecting a user who is too large does not block the event loop for long", ON_BUSY_MACHINES, async () => {
  const users = [{ userId: "large", ...numbered(24_000, (number) => `${"k".repeat(64)}${number}`) }];
  const rejected = workspace.call("/v2/users/add", JSON.stringify({ data: { organizationId, users } }));
  await expectResponsiveEventLoop(rejected);
  const message = "data.users[0] must be at most 64 KiB as JSON text";
  expect(await rejected).toMatchObject({ httpStatus: 400, body: { error: { message } } });
});
