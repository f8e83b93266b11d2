import { describe, expect, test } from "vitest";
import { addAnnotations } from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { resourceNamed } from "../../../../test/permissions.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";

const service = await startTestService();
const workspace = await service.workspace();
const { organizationId } = SCOPE;
const ANNOTATIONS = "/v2/commentannotations";
const VISIBLE = "seen-0001";
const FREE = "free-0001";
/** IDs of annotations that the user does not see, as long as the others, by what hides them. */
const HIDDEN = {
  "its visibility": "hide-0001",
  "an organization that the user is not in": "hide-0002",
  "a document that the user may not read": "hide-0003",
  "a disabled document": "hide-0004",
  "a disabled document that the user may not read": "hide-0005",
};

await addAnnotations(workspace, [
  { annotationId: VISIBLE },
  { annotationId: HIDDEN["its visibility"], visibility: { type: "restricted", userIds: ["grace"] } },
  {
    annotationId: HIDDEN["an organization that the user is not in"],
    visibility: { type: "organizationPrivate", organizationId },
  },
]);
for (const [documentId, what] of [
  ["closed", "a document that the user may not read"],
  ["disabled", "a disabled document"],
  ["closed-disabled", "a disabled document that the user may not read"],
] as const) {
  await workspace.data(`${ANNOTATIONS}/add`, {
    ...{ organizationId, documentId },
    commentAnnotations: [
      { annotationId: HIDDEN[what], commentData: [{ commentText: "x", from: { userId: "grace" } }] },
    ],
  });
}
await workspace.uncheckedResult("/v2/organizations/documents/access/disablestate/update", {
  ...{ organizationId, documentIds: ["disabled", "closed-disabled"], disabled: true },
});
const resources = [resourceNamed(`document ${SCOPE.documentId}`), resourceNamed("document disabled")];
const token = await tokenFor(workspace, "alan", { resources });

/** Calls an operation as the user. Returns the response with the ID replaced, as it is for any ID. */
async function respond(path: string, request: object, id: string) {
  const { httpStatus, body } = await callWith(token, `${service.address}${path}`, { ...SCOPE, ...request });
  return { httpStatus, body: JSON.parse(JSON.stringify(body).replaceAll(id, "ID")) };
}

const commentData = [{ commentText: "mine" }];

describe.each(Object.entries(HIDDEN))("an annotation that is hidden by %s", (_what, hidden) => {
  test("fails to be added as a visible one does", async () => {
    const add = (annotationId: string) =>
      respond(`${ANNOTATIONS}/add`, { commentAnnotations: [{ annotationId, commentData }] }, annotationId);
    const response = await add(hidden);
    expect(response).toMatchObject({ httpStatus: 200, body: { result: { data: { ID: { success: false } } } } });
    expect(response).toEqual(await add(VISIBLE));
  });

  test.each([
    ["/get", (id: string) => ({ annotationIds: [id] })],
    ["/update", (id: string) => ({ annotationIds: [id], updatedData: { priority: "high" } })],
    ["/delete", (id: string) => ({ annotationIds: [id] })],
    ["/comments/get", (annotationId: string) => ({ annotationId })],
    ["/comments/get", (annotationId: string) => ({ annotationId, commentIds: [1] })],
    ["/comments/add", (annotationId: string) => ({ annotationId, commentData })],
    ["/comments/add", (annotationId: string) => ({ annotationId, commentData: [{ commentId: 1, commentText: "x" }] })],
    [
      "/comments/update",
      (annotationId: string) => ({ annotationId, commentIds: [1], updatedData: { commentText: "" } }),
    ],
    ["/comments/delete", (annotationId: string) => ({ annotationId, commentIds: [1] })],
    ["/v2/reactions/add", (annotationId: string) => ({ annotationId, commentId: 1, reaction: "+1" })],
    ["/v2/reactions/delete", (annotationId: string) => ({ annotationId, commentId: 1, reaction: "+1" })],
  ])("responds to %s as an ID that is free", async (path, build) => {
    const operation = path.startsWith("/v2") ? path : `${ANNOTATIONS}${path}`;
    const response = await respond(operation, build(hidden), hidden);
    expect(response).toEqual(await respond(operation, build(FREE), FREE));
  });
});
