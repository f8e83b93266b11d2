import type { Static } from "typebox";
import type { Workspace } from "../../../contract/operation.ts";
import type { User } from "../../../contract/schema.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import type { AccessOrganization } from "../../access/access-queries.ts";
import { selectOrganizationUsers } from "../../access/visibility-queries.ts";
import type { CommentAnnotation } from "../../comments/annotations/annotation.ts";
import { selectAnnotationPage } from "../../comments/annotations/annotation-filter-queries.ts";
import { taggedUserIds } from "../../comments/comments/comment.ts";
import { type OrganizationScope, openOrganization } from "../../tenancy/organization-scope.ts";
import type { WebhookEvent } from "./event.ts";
import { type SetPreference, selectNameAndPreferences, selectUser } from "./webhook-payload-queries.ts";

type Annotation = Static<typeof CommentAnnotation>;

/** What the bodies of webhooks are built with. */
export interface Reading {
  workspace: AccessOrganization["workspace"] & Pick<Workspace, "apiKey">;
  database: TransactionalQueryable;
}

/** Preferences that users have set, by user. */
type SetPreferences = Record<string, { inbox?: string; email?: string }>;

/** The records of an event about comments, as they are now. */
export interface CommentFacts {
  actionUser: User | undefined;
  documentName: string | undefined;
  /** Only the ID of an annotation that does not exist any more. */
  commentAnnotation: Annotation | { annotationId: string };
  /** The comment that the event is about; only its ID if it does not exist any more. */
  targetComment: Annotation["comments"][number] | { commentId: number } | undefined;
  /** Visibility of the annotation, if it is not public. */
  visibility: Annotation["visibilityConfig"] | undefined;
  /** Users of the annotation who may not see it. */
  accessDeniedUsers: string[];
  preferences: {
    usersOrganizationNotificationsConfig?: SetPreferences;
    usersDocumentNotificationsConfig?: SetPreferences;
  };
}

/** Reads the records of an event about comments, as a backend gets them. */
export async function readCommentFacts({ workspace, database }: Reading, event: WebhookEvent): Promise<CommentFacts> {
  const { organizationId, documentId, subject, userId } = event;
  const scope = openOrganization(database, workspace, organizationId);
  const annotationId = String(subject.annotationId);
  const commentId = subject.commentId === undefined ? undefined : Number(subject.commentId);
  const annotation = await readAnnotation(scope, documentId ?? "", annotationId);
  const comment = annotation?.comments.find((one) => one.commentId === commentId);
  const userIds = [...new Set([...(annotation ? getUsers(annotation) : []), ...(userId === null ? [] : [userId])])];
  const author = getAuthor(event.kind, annotation, comment);
  const isPrivate = annotation !== undefined && annotation.visibilityConfig.type !== "public";
  const { name, preferences } = await selectNameAndPreferences(scope, documentId ?? "", userIds);
  return {
    actionUser: userId === null ? author : author?.userId === userId ? author : await selectUser(scope, userId),
    documentName: name,
    commentAnnotation: annotation ?? { annotationId },
    targetComment: commentId === undefined ? undefined : (comment ?? { commentId }),
    visibility: isPrivate ? annotation.visibilityConfig : undefined,
    accessDeniedUsers: isPrivate ? await findDeniedUsers(scope, annotation, userIds) : [],
    preferences: byUser(preferences),
  };
}

/** Returns the author of what an event has added or changed. */
function getAuthor(
  kind: WebhookEvent["kind"],
  annotation: Annotation | undefined,
  comment: Annotation["comments"][number] | undefined,
): User | undefined {
  if (kind === "comment_annotation.add") return annotation?.from;
  return kind === "comment.add" || kind === "comment.update" ? comment?.from : undefined;
}

/** Reads the annotation; undefined if it does not exist or its organization or document is disabled. */
async function readAnnotation(
  scope: AccessOrganization,
  documentId: string,
  annotationId: string,
): Promise<Annotation | undefined> {
  const filters = { documentId, annotationIds: [annotationId] };
  const page = { order: "desc", pageSize: 1, after: undefined, placesBefore: 0 } as const;
  const { records, extra: block } = await selectAnnotationPage(scope, filters, page);
  const [annotation]: Annotation[] = block === null ? JSON.parse(records) : [];
  return annotation;
}

/** Returns the users whom an annotation names as authors, assignee or tagged. */
function getUsers({ from, assignedTo, comments }: Annotation): string[] {
  const authors = [from, assignedTo, ...comments.map((comment) => comment.from)];
  return [...authors.flatMap((user) => (user ? [user.userId] : [])), ...comments.flatMap(taggedUserIds)];
}

async function findDeniedUsers(
  scope: OrganizationScope,
  { visibilityConfig: { type, userIds: seeing = [] } }: Annotation,
  userIds: readonly string[],
): Promise<string[]> {
  const isForOrganization = type === "organizationPrivate";
  const members = isForOrganization ? await selectOrganizationUsers(scope, userIds) : new Set<string>();
  return userIds.filter((userId) => !seeing.includes(userId) && !members.has(userId));
}

function byUser(set: readonly SetPreference[]): CommentFacts["preferences"] {
  const organizationPreferences: SetPreferences = {};
  const documentPreferences: SetPreferences = {};
  for (const { userId, documentId, inbox, email } of set) {
    if (inbox === null && email === null) continue;
    const preferences = documentId === "" ? organizationPreferences : documentPreferences;
    preferences[userId] = { ...(inbox !== null && { inbox }), ...(email !== null && { email }) };
  }
  return {
    ...(Object.keys(organizationPreferences).length > 0 && {
      usersOrganizationNotificationsConfig: organizationPreferences,
    }),
    ...(Object.keys(documentPreferences).length > 0 && { usersDocumentNotificationsConfig: documentPreferences }),
  };
}
