import { describe, expect, test } from "vitest";
import { ACCESS_ROLES, type AccessRole } from "../../src/contract/end-user.ts";
import { operations } from "../../src/operations.ts";
import { addAnnotations, changeReaction, comment } from "../comments.ts";
import { addContent, COLLABORATIVE_DOCUMENT } from "../crdt.ts";
import { SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { addRecordings } from "../recordings.ts";
import { callWith, tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const ANNOTATIONS = "/v2/commentannotations";
const EDITOR = COLLABORATIVE_DOCUMENT.editorId;
const GRACE = { userId: "grace" };
/** Permissions name the document in their resources. */
const NO_SCOPE = { organizationId: undefined, documentId: undefined };
const ON_DOCUMENT = { resources: [{ type: "document", id: SCOPE.documentId, organizationId: SCOPE.organizationId }] };

/** Records of grace, who calls, and two of ada, of which one is assigned to grace. */
const RECORDS = ["own", "other", "assigned"] as const;
type Records = (typeof RECORDS)[number];

/** Roles from which on grace may change each of the records. `nobody` is for what no role permits. */
type Needed = Record<Records, AccessRole | "nobody">;
const everywhere = (role: AccessRole): Needed => ({ own: role, other: role, assigned: role });
const MODERATED: Needed = { own: "commenter", other: "moderator", assigned: "moderator" };
const SHARED: Needed = { own: "commenter", other: "editor", assigned: "editor" };

interface Write {
  path: string;
  what?: string;
  needed: Needed;
  /** Returns the request about the record with an ID. */
  request: (id: string) => object;
}

const update = (field: string, value: unknown, needed: Needed): Write => ({
  ...{ path: `${ANNOTATIONS}/update`, what: field, needed },
  request: (id) => ({ annotationIds: [id], updatedData: { [field]: value } }),
});

/** Every operation by which users write, and what it changes. */
const WRITES: Write[] = [
  update("status", { type: "terminal" }, { ...SHARED, assigned: "viewer" }),
  update("assignedTo", { userId: "emmy" }, SHARED),
  update("priority", "high", SHARED),
  update("location", { id: "page-2" }, SHARED),
  update("targetElement", { id: "clause-3" }, SHARED),
  update("suggestion", { status: "accepted" }, everywhere("editor")),
  update("visibility", { type: "restricted", userIds: ["grace"] }, MODERATED),
  update("context", { page: 3 }, MODERATED),
  {
    path: `${ANNOTATIONS}/add`,
    needed: everywhere("commenter"),
    request: () => ({ commentAnnotations: [{ commentData: [{ commentText: "Why?" }] }] }),
  },
  { path: `${ANNOTATIONS}/delete`, needed: MODERATED, request: (id) => ({ annotationIds: [id] }) },
  {
    path: `${ANNOTATIONS}/read`,
    needed: everywhere("viewer"),
    request: (id) => ({ annotationIds: [id] }),
  },
  {
    path: `${ANNOTATIONS}/comments/add`,
    needed: everywhere("commenter"),
    request: (id) => ({ annotationId: id, commentData: [{ commentText: "Because." }] }),
  },
  {
    path: `${ANNOTATIONS}/comments/update`,
    needed: MODERATED,
    request: (id) => ({ annotationId: id, commentIds: [1], updatedData: { commentText: "changed" } }),
  },
  {
    path: `${ANNOTATIONS}/comments/delete`,
    needed: MODERATED,
    request: (id) => ({ annotationId: id, commentIds: [1] }),
  },
  {
    path: "/v2/reactions/add",
    needed: everywhere("commenter"),
    request: (id) => ({ annotationId: id, commentId: 1, reaction: "👍" }),
  },
  {
    path: "/v2/reactions/delete",
    needed: everywhere("commenter"),
    request: (id) => ({ annotationId: id, commentId: 1, reaction: "🎉" }),
  },
  {
    path: "/v2/files/add",
    needed: everywhere("commenter"),
    request: () => ({ name: "fox.txt", contentType: "text/plain", size: 19 }),
  },
  {
    path: "/v2/recordings/add",
    needed: { own: "commenter", other: "nobody", assigned: "nobody" },
    request: (id) => ({ recordings: [{ annotationId: id, displayName: "changed" }] }),
  },
  {
    path: "/v2/recordings/update",
    needed: MODERATED,
    request: (id) => ({ recordings: [{ annotationId: id, displayName: "changed" }] }),
  },
  { path: "/v2/recordings/delete", needed: MODERATED, request: (id) => ({ recordingIds: [id] }) },
  { path: "/v2/crdt/versions/add", needed: everywhere("editor"), request: () => ({ editorId: EDITOR, name: "one" }) },
  {
    path: "/v2/crdt/versions/update",
    needed: everywhere("editor"),
    request: () => ({ editorId: EDITOR, versionId: "first", name: "second" }),
  },
  {
    path: "/v2/crdt/schema/update",
    needed: everywhere("editor"),
    request: () => ({ editorId: EDITOR, schema: { name: "contract", version: 1, nodes: [], marks: [] } }),
  },
  {
    path: "/v2/crdt/versions/restore",
    needed: everywhere("editor"),
    request: () => ({ editorId: EDITOR, versionId: "first" }),
  },
  {
    path: "/v2/crdt/versions/delete",
    needed: everywhere("editor"),
    request: () => ({ editorId: EDITOR, versionIds: ["first"] }),
  },
  {
    path: "/v2/livestate/broadcast",
    needed: everywhere("editor"),
    request: () => ({ liveStateDataId: "selection", data: { line: 3 } }),
  },
  { path: "/v2/presence/add", needed: everywhere("viewer"), request: () => ({}) },
  {
    path: "/v2/presence/broadcast",
    needed: everywhere("viewer"),
    request: () => ({ connectionId: "3f9a1c", data: { line: 3 } }),
  },
  { path: "/v2/presence/delete", needed: everywhere("viewer"), request: () => ({}) },
  {
    path: "/v2/auth/permissions/add",
    needed: everywhere("moderator"),
    request: () => ({ ...NO_SCOPE, user: { userId: "emmy" }, permissions: ON_DOCUMENT }),
  },
  {
    path: "/v2/auth/permissions/remove",
    needed: everywhere("moderator"),
    request: () => ({ ...NO_SCOPE, userId: "emmy", permissions: ON_DOCUMENT }),
  },
  { path: "/v2/notifications/archive", needed: everywhere("viewer"), request: () => ({}) },
  { path: "/v2/notifications/restore", needed: everywhere("viewer"), request: () => ({}) },
  { path: "/v2/notifications/read", needed: everywhere("viewer"), request: () => ({}) },
  { path: "/v2/notifications/delete", needed: everywhere("viewer"), request: () => ({}) },
  {
    path: "/v2/notifications/config/set",
    needed: everywhere("viewer"),
    request: () => ({ documentId: undefined, documentIds: [SCOPE.documentId], config: { inbox: "ALL" } }),
  },
];

const REACTED = `${WRITES.findIndex(({ path }) => path === "/v2/reactions/delete")} `;

/** Returns the ID of a record that one call with the role changes. */
const getId = (write: Write, role: AccessRole, record: Records) => `${WRITES.indexOf(write)} ${role} ${record}`;

/** Creates a workspace with records of grace and ada for each call, in a document that only permissions open. */
async function review(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "one" });
  await workspace.data("/v2/crdt/versions/add", { ...SCOPE, editorId: EDITOR, versionId: "first", name: "first" });
  const records = WRITES.flatMap((write) =>
    ACCESS_ROLES.flatMap((role) =>
      RECORDS.map((record) => ({
        annotationId: getId(write, role, record),
        from: record === "own" ? GRACE : { userId: "ada" },
        ...(record === "assigned" && { assignedTo: GRACE }),
      })),
    ),
  );
  await addAnnotations(
    workspace,
    records.map(({ from, ...fields }) => ({ ...fields, type: "suggestion", commentData: [comment({ from })] })),
  );
  await addRecordings(
    workspace,
    records.map(({ annotationId, from }) => ({ annotationId, from })),
  );
  for (const { annotationId } of records.filter(({ annotationId }) => annotationId.startsWith(REACTED))) {
    await changeReaction(workspace, "add", { annotationId, reaction: "🎉", from: GRACE });
  }
  return workspace;
}

const workspace = await review();

interface Outcome {
  isDone: boolean;
  reason?: string;
  requiredRole?: string;
}

/** Calls as grace with a role on the document. Returns whether everything was done that the request asks for. */
async function change(write: Write, record: Records, accessRole: AccessRole): Promise<Outcome> {
  const { organizationId, documentId } = SCOPE;
  const resources = [{ type: "document" as const, id: documentId, organizationId, accessRole }];
  const token = await tokenFor(workspace, "grace", { resources });
  const request = { ...SCOPE, ...write.request(getId(write, accessRole, record)) };
  const { body } = await callWith(token, `${service.address}${write.path}`, request);
  const { result, error } = Object(body);
  const items = [result?.data, ...Object.values(Object(result?.data))];
  const failed = error?.details ?? items.find((item) => Object(item).success === false);
  const outcome: Outcome = { isDone: failed === undefined };
  if (failed?.reason) outcome.reason = failed.reason;
  if (failed?.requiredRole) outcome.requiredRole = failed.requiredRole;
  return outcome;
}

test("the table has every operation by which users write", () => {
  const writing = operations.filter((one) => one.authentication !== "none" && one.endUsers && one.scope === "write");
  expect([...new Set(WRITES.map(({ path }) => path))].sort()).toEqual(writing.map(({ path }) => path).sort());
});

describe.each(WRITES.map((write) => [[write.path, write.what].join(" "), write] as const))("%s", (_, write) => {
  test.each(ACCESS_ROLES)(
    "a user with the role %s changes what the table says, and learns the role of the rest",
    async (role) => {
      const includes = (needed: AccessRole) => ACCESS_ROLES.indexOf(role) >= ACCESS_ROLES.indexOf(needed);
      for (const record of RECORDS) {
        const needed = write.needed[record];
        const outcome = await change(write, record, role);
        const base = write.path.endsWith("annotations/update") ? "viewer" : write.needed.own;
        if (needed === "nobody") {
          const reason = includes("commenter") ? "already_exists" : "access_denied";
          expect(outcome, record).toMatchObject({ isDone: false, reason });
        } else if (includes(needed)) expect(outcome, record).toEqual({ isDone: true });
        else {
          const requiredRole = base !== "nobody" && includes(base) ? needed : base;
          expect(outcome, record).toEqual({ isDone: false, reason: "access_denied", requiredRole });
        }
      }
    },
  );
});
