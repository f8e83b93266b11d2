import type { Api } from "../src/operations.ts";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

type Request<Path extends keyof Api> = Partial<Api[Path]["request"]>;
type NewAnnotation = Api["/v2/commentannotations/add"]["request"]["commentAnnotations"][number];
export type NewComment = NonNullable<NewAnnotation["commentData"]>[number];
type Filters = Request<"/v2/commentannotations/get">;
export type AnnotationRecord = NonNullable<Extract<Api["/v2/commentannotations/get"]["response"], unknown[]>[number]>;

const ANNOTATIONS = "/v2/commentannotations";

/** Returns a new comment with the required fields and the given ones. */
export function comment(fields: Partial<NewComment> = {}): NewComment {
  return { commentText: "thirty days", from: { userId: "ada" }, ...fields };
}

/** Fields that reading adds to a comment without further ones. */
export const ADDED_FIELDS = {
  type: "text",
  status: "added",
  isDraft: false,
  isCommentTextAvailable: true,
  attachments: [],
  taggedUserContacts: [],
  reactions: [],
  reactionAnnotationIds: [],
  reactionAnnotations: [],
};

/** Adds these annotations, or one for each ID, in one call. Each has one comment of ada by default. */
export function addAnnotations(
  workspace: TestWorkspace,
  annotations: (Partial<NewAnnotation> | string)[],
  scope: Request<"/v2/commentannotations/add"> = {},
) {
  const given = annotations.map((item) => (typeof item === "string" ? { annotationId: item } : item));
  const commentAnnotations = given.map((item) => ({ commentData: [comment()], ...item }));
  return workspace.data(`${ANNOTATIONS}/add`, { ...SCOPE, commentAnnotations, ...scope });
}

/** Adds comments, by default to the annotation "a". */
export function addComments(
  workspace: TestWorkspace,
  comments: Partial<NewComment>[],
  scope: Request<"/v2/commentannotations/comments/add"> = {},
) {
  const request = { ...SCOPE, annotationId: "a", commentData: comments.map((fields) => comment(fields)), ...scope };
  return workspace.data(`${ANNOTATIONS}/comments/add`, request);
}

/** Updates or deletes annotations of the document. */
export async function changeAnnotations<Verb extends "update" | "delete">(
  workspace: TestWorkspace,
  verb: Verb,
  request: Request<`/v2/commentannotations/${Verb}`>,
) {
  return (await workspace.uncheckedResult(`${ANNOTATIONS}/${verb}` as const, { ...SCOPE, ...request })).data;
}

/** Adds an annotation that only its author sees, and deletes it. */
export async function deletePrivateAnnotation(workspace: TestWorkspace, scope: Partial<typeof SCOPE>): Promise<void> {
  const annotationId = `${scope.documentId}-private`;
  const visibility = { type: "restricted" as const, userIds: ["ada"] };
  await addAnnotations(workspace, [{ annotationId, visibility }], scope);
  await changeAnnotations(workspace, "delete", { ...scope, annotationIds: [annotationId] });
}

/** Updates or deletes comments, by default of the annotation "a". */
export async function changeComments<Verb extends "update" | "delete">(
  workspace: TestWorkspace,
  verb: Verb,
  request: Request<`/v2/commentannotations/comments/${Verb}`>,
) {
  const path = `${ANNOTATIONS}/comments/${verb}` as const;
  return (await workspace.uncheckedResult(path, { ...SCOPE, annotationId: "a", ...request })).data;
}

/** Adds or deletes a reaction, by default ada's 👍 to comment 1 of the annotation "a". */
export function changeReaction(
  workspace: TestWorkspace,
  verb: "add" | "delete",
  request: Request<"/v2/reactions/add"> = {},
) {
  const data = { ...SCOPE, annotationId: "a", commentId: 1, reaction: "👍", from: { userId: "ada" }, ...request };
  return workspace.data(`/v2/reactions/${verb}`, data);
}

/** Reads comments. Throws if one of the requested IDs does not exist. */
export async function readComments(
  workspace: TestWorkspace,
  request: Request<"/v2/commentannotations/comments/get"> = {},
) {
  const comments = await readCommentsOrNull(workspace, request);
  return comments.map((found) => {
    if (found === null) throw new Error("A requested comment does not exist.");
    return found;
  });
}

/** Reads comments, and null for each requested ID that does not exist. */
export function readCommentsOrNull(
  workspace: TestWorkspace,
  request: Request<"/v2/commentannotations/comments/get"> = {},
) {
  const data = { ...SCOPE, annotationId: "a", ...request };
  return workspace.data(`${ANNOTATIONS}/comments/get`, data);
}

/** Reads all pages. */
export async function readAnnotationPages(workspace: TestWorkspace, filters: Filters = {}) {
  const pages: AnnotationRecord[][] = [];
  let pageToken: string | undefined;
  do {
    const request = { organizationId: SCOPE.organizationId, ...filters, ...(pageToken && { pageToken }) };
    const page = await workspace.result(`${ANNOTATIONS}/get`, request);
    pages.push(asList(page.data));
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  return pages;
}

/** Returns the annotations of a page, without the null of each missing ID. Throws if it is grouped by document. */
export function asList(page: Api["/v2/commentannotations/get"]["response"]): AnnotationRecord[] {
  if (!Array.isArray(page)) throw new Error("The page is grouped by document.");
  return page.filter((annotation) => annotation !== null);
}

/** Reads the annotations of all pages, newest first. */
export async function readAnnotations(workspace: TestWorkspace, filters: Filters = {}): Promise<AnnotationRecord[]> {
  return (await readAnnotationPages(workspace, filters)).flat();
}

/** Reads the IDs of all pages, oldest first. */
export async function readAnnotationIds(workspace: TestWorkspace, filters: Filters = {}): Promise<string[]> {
  return (await readAnnotations(workspace, { order: "asc", ...filters })).map(({ annotationId }) => annotationId);
}

export function countAnnotations(
  workspace: TestWorkspace,
  userId: string,
  request: Request<"/v2/commentannotations/count/get"> = {},
) {
  const data = { organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId], userId, ...request };
  return workspace.data(`${ANNOTATIONS}/count/get`, data);
}
