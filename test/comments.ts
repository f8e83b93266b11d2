import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

export interface CommentRecord {
  commentId: number;
  createdAt: number;
  lastUpdated: number;
  [field: string]: unknown;
}

export interface AnnotationRecord {
  annotationId: string;
  createdAt: number;
  lastUpdated: number;
  comments: CommentRecord[];
  [field: string]: unknown;
}

interface Added {
  [annotationId: string]: { success: boolean; message: string; commentIds: number[] };
}

interface Results {
  [id: string]: { success: boolean; message: string };
}

const ANNOTATIONS = "/v2/commentannotations";

/** The least that is a valid comment, and what the test cares about. */
export function comment(fields: object = {}): object {
  return { commentText: "thirty days", from: { userId: "ada" }, ...fields };
}

/** One call with these annotations, or with one for each id; each has one comment of Ada's unless it says otherwise. */
export function addAnnotations(workspace: TestWorkspace, annotations: (object | string)[], scope: object = {}) {
  const given = annotations.map((item) => (typeof item === "string" ? { annotationId: item } : item));
  const commentAnnotations = given.map((item) => ({ commentData: [comment()], ...item }));
  return workspace.data<Added>(`${ANNOTATIONS}/add`, { ...SCOPE, commentAnnotations, ...scope });
}

/** To the annotation "a" unless the scope says otherwise. */
export function addComments(workspace: TestWorkspace, comments: object[], scope: object = {}) {
  const request = { ...SCOPE, annotationId: "a", commentData: comments.map(comment), ...scope };
  return workspace.data<number[]>(`${ANNOTATIONS}/comments/add`, request);
}

/** `verb` is update or delete, of the annotations of the document. */
export function changeAnnotations(workspace: TestWorkspace, verb: string, request: object) {
  return workspace.data<Results>(`${ANNOTATIONS}/${verb}`, { ...SCOPE, ...request });
}

/** `verb` is update or delete, of the comments of the annotation "a" unless the request says otherwise. */
export function changeComments(workspace: TestWorkspace, verb: string, request: object) {
  return workspace.data<Results>(`${ANNOTATIONS}/comments/${verb}`, { ...SCOPE, annotationId: "a", ...request });
}

/** `verb` is add or delete; Ada's thumb for the comment 1 of the annotation "a" unless the request says otherwise. */
export function react(workspace: TestWorkspace, verb: string, request: object = {}) {
  const data = { ...SCOPE, annotationId: "a", commentId: 1, reaction: "👍", from: { userId: "ada" }, ...request };
  return workspace.data<{ success: boolean; message: string }>(`/v2/reactions/${verb}`, data);
}

export function readComments(workspace: TestWorkspace, request: object = {}) {
  const data = { ...SCOPE, annotationId: "a", ...request };
  return workspace.data<CommentRecord[]>(`${ANNOTATIONS}/comments/get`, data);
}

/** The pages one after the other, up to the one without a token. */
export async function readAnnotationPages(workspace: TestWorkspace, filters: object = {}) {
  const pages: AnnotationRecord[][] = [];
  let pageToken: string | undefined;
  do {
    const request = { organizationId: SCOPE.organizationId, ...filters, ...(pageToken && { pageToken }) };
    const page = await workspace.result<AnnotationRecord[]>(`${ANNOTATIONS}/get`, request);
    pages.push(page.data);
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  return pages;
}

/** Newest first, of all pages. */
export async function readAnnotations(workspace: TestWorkspace, filters: object = {}): Promise<AnnotationRecord[]> {
  return (await readAnnotationPages(workspace, filters)).flat();
}

/** Oldest first. */
export async function readAnnotationIds(workspace: TestWorkspace, filters: object = {}): Promise<string[]> {
  return (await readAnnotations(workspace, { order: "asc", ...filters })).map(({ annotationId }) => annotationId);
}

export function countFor(workspace: TestWorkspace, userId: string, request: object = {}) {
  const data = { organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId], userId, ...request };
  return workspace.data<{ [documentId: string]: { total: number; unread: number } }>(`${ANNOTATIONS}/count/get`, data);
}
