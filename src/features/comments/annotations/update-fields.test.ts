import { expect, test } from "vitest";
import {
  addAnnotations,
  changeAnnotations,
  comment,
  countAnnotations,
  readAnnotationIds,
  readAnnotations,
} from "../../../../test/comments.ts";
import { eventReader, getEvents } from "../../../../test/events.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";

const UPDATE = "/v2/commentannotations/update";
const GRACE = { userId: "grace", name: "Grace Hopper", email: "grace@example.com", photoUrl: "grace.png" };
const service = await startTestService();

test.each([
  ["default", { id: "OPEN", name: "Open" }],
  ["ongoing", { id: "IN_PROGRESS", name: "In progress" }],
  ["terminal", { id: "RESOLVED", name: "Resolved" }],
] as const)("a status of type %s without an id gets the id and name of its type", async (type, expected) => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", status: { id: "DOING", name: "Doing" } }]);
  await changeAnnotations(workspace, "update", { updatedData: { status: { type, svg: "<svg/>" } } });
  const [record] = await readAnnotations(workspace, { statusIds: [expected.id] });
  const colors = { color: expect.any(String), lightColor: expect.any(String) };
  expect(record?.status).toEqual({ ...expected, ...colors, type, svg: "<svg/>" });
});

test("replacing a user who has only commented is an event of the annotation", async () => {
  const workspace = await service.publicWorkspace();
  const commentData = [comment({ from: { userId: "ada" } }), comment({ from: { userId: "alan" } })];
  await addAnnotations(workspace, [{ annotationId: "a", commentData }, { annotationId: "b" }]);
  const { cursor } = await getEvents(workspace);
  await changeAnnotations(workspace, "update", { updateUsers: [{ oldUser: { userId: "alan" }, newUser: GRACE }] });
  const changes = eventReader(workspace, cursor);
  expect(await changes()).toEqual([["comment_annotation.update", { annotationId: "a" }]]);
});

test("updatedData can be an array of one object", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  await changeAnnotations(workspace, "update", { updatedData: [{ priority: "P0" }] });
  expect(await readAnnotations(workspace)).toMatchObject([{ priority: "P0" }]);
  const error = await workspace.error(UPDATE, { ...SCOPE, updatedData: [{ priority: "P1" }, { priority: "P2" }] });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: "data.updatedData" }] } });
});

test("another author of an annotation replaces the former one as its participant", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: { userId: "alan" } })] }]);
  await changeAnnotations(workspace, "update", { updatedData: { from: GRACE } });
  const [record] = await readAnnotations(workspace);
  expect(record).toMatchObject({ from: GRACE, comments: [{ from: { userId: "alan" } }] });
  expect(await readAnnotationIds(workspace, { userIds: ["grace"] })).toEqual(["a"]);
});

test("statusUpdatedByUserId and resolvedByUserId are stored, and null clears them", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const updatedData = { statusUpdatedByUserId: "grace", resolvedByUserId: "ada" };
  await changeAnnotations(workspace, "update", { updatedData });
  expect(await readAnnotations(workspace)).toMatchObject([{ ...updatedData, resolvedByUser: { userId: "ada" } }]);
  const cleared = { statusUpdatedByUserId: null, resolvedByUserId: null };
  await changeAnnotations(workspace, "update", { updatedData: cleared });
  const [record] = await readAnnotations(workspace);
  for (const field of [...Object.keys(cleared), "resolvedByUser"]) expect(record).not.toHaveProperty(field);
});

test("a status whose type is not terminal clears who has resolved the annotation", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const resolved = { status: { type: "terminal" as const }, resolvedByUserId: "grace" };
  await changeAnnotations(workspace, "update", { updatedData: resolved });
  expect(await readAnnotations(workspace)).toMatchObject([{ resolvedByUserId: "grace" }]);
  const reopened = { status: { id: "DOING", type: "ongoing" as const }, resolvedByUserId: "grace" };
  await changeAnnotations(workspace, "update", { updatedData: reopened });
  const [record] = await readAnnotations(workspace);
  expect(record).not.toHaveProperty("resolvedByUserId");
  expect(record).not.toHaveProperty("resolvedByUser");
});

test("a suggestion is replaced as a whole, with the status sent or else its own", async () => {
  const workspace = await service.publicWorkspace();
  const given: object = { newContent: "sixty", oldContent: "thirty" };
  await addAnnotations(workspace, [{ annotationId: "a", type: "suggestion", suggestion: given }]);
  await changeAnnotations(workspace, "update", { updatedData: { suggestion: { status: "accepted" } } });
  expect((await readAnnotations(workspace))[0]?.suggestion).toEqual({ status: "accepted" });
  await changeAnnotations(workspace, "update", { updatedData: { suggestion: given } });
  expect((await readAnnotations(workspace))[0]?.suggestion).toEqual({ ...given, status: "accepted" });
});

test("a suggestion for an annotation that is none is INVALID_ARGUMENT, and nothing is changed", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", type: "suggestion" }, "b"]);
  const before = await readAnnotations(workspace);
  const error = await workspace.error(UPDATE, { ...SCOPE, updatedData: { suggestion: { status: "rejected" } } });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining("b has type comment") });
  expect(await readAnnotations(workspace)).toEqual(before);
});

test("updateUsers replaces authors, assignees and tagged users, in comments too, and nobody else", async () => {
  const workspace = await service.publicWorkspace();
  const alan = { userId: "alan", name: "Alan", photoUrl: "alan.png" };
  const tags = [{ userId: "alan", text: "@Alan", contact: alan }, { userId: "kurt" }];
  await addAnnotations(workspace, [
    { annotationId: "a", commentData: [comment({ from: alan }), comment({ taggedUserContacts: tags })] },
    { annotationId: "b", assignedTo: alan, commentData: [comment({ attachments: [{ url: "x" }] })] },
    { annotationId: "c", commentData: [comment({ from: { userId: "kurt" } })] },
  ]);
  const [before] = await readAnnotations(workspace, { annotationIds: ["c"] });
  const updateUsers = [
    { oldUser: { userId: "alan" }, newUser: GRACE },
    { oldUser: { userId: "grace" }, newUser: { userId: "never" } },
  ];
  const updated = await changeAnnotations(workspace, "update", { updateUsers });
  expect(Object.keys(updated)).toEqual(["a", "b", "c"]);
  const [a, b, c] = await readAnnotations(workspace, { order: "asc" });
  expect(a).toMatchObject({ from: GRACE, comments: [{ from: GRACE, status: "added" }, { from: { userId: "ada" } }] });
  expect(a?.comments[1]?.taggedUserContacts).toEqual([
    { userId: "grace", text: "@Alan", contact: GRACE },
    { userId: "kurt" },
  ]);
  expect(b).toMatchObject({ assignedTo: GRACE, from: { userId: "ada" }, comments: [{ attachments: [{ url: "x" }] }] });
  expect(c).toEqual({ ...before, annotationIndex: 3 });
  expect(await readAnnotationIds(workspace, { userIds: ["grace"] })).toEqual(["a"]);
  expect(await readAnnotationIds(workspace, { mentionedUserIds: ["grace"] })).toEqual(["a"]);
  expect(await readAnnotationIds(workspace, { userIds: ["alan"] })).toEqual([]);
  expect(await readAnnotationIds(workspace, { mentionedUserIds: ["alan"] })).toEqual([]);
  expect(await countAnnotations(workspace, "grace")).toEqual({ "contract-7": { total: 3, unread: 3 } });
});

test("updateUsers changes only the annotations that match, and updatedData replaces fields after it", async () => {
  const workspace = await service.publicWorkspace();
  const assignedTo = { userId: "alan" };
  await addAnnotations(workspace, [
    { annotationId: "a", assignedTo },
    { annotationId: "b", assignedTo },
  ]);
  const updateUsers = [{ oldUser: assignedTo, newUser: GRACE }];
  const updatedData = { assignedTo: { userId: "kurt" } };
  await changeAnnotations(workspace, "update", { annotationIds: ["a"], updateUsers, updatedData });
  expect(await readAnnotations(workspace, { order: "asc" })).toMatchObject([{ ...updatedData }, { assignedTo }]);
});

test("more than 500 comments get their new author", async () => {
  const workspace = await service.publicWorkspace();
  const commentData = Array.from({ length: 300 }, () => comment({ from: { userId: "alan" } }));
  await addAnnotations(workspace, [
    { annotationId: "a", commentData },
    { annotationId: "b", commentData },
  ]);
  await changeAnnotations(workspace, "update", { updateUsers: [{ oldUser: { userId: "alan" }, newUser: GRACE }] });
  const authors = (await readAnnotations(workspace)).flatMap(({ comments }) => comments.map(({ from }) => from.userId));
  expect(new Set(authors)).toEqual(new Set(["grace"]));
  expect(authors).toHaveLength(600);
});

test.each([
  ["neither updatedData nor updateUsers", {}, "data"],
  [
    "a repeated old user",
    { updateUsers: [1, 2].map(() => ({ oldUser: { userId: "alan" }, newUser: GRACE })) },
    "data.updateUsers[1].oldUser.userId",
  ],
])("%s is INVALID_ARGUMENT", async (_title, request, path) => {
  const workspace = await service.publicWorkspace();
  const error = await workspace.error(UPDATE, { ...SCOPE, ...request });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path }] } });
});
