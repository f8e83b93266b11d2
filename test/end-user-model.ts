import type { AccessType } from "../src/contract/access-type.ts";

/** Roles, each of which allows what those before it do. */
export const ROLES = ["viewer", "commenter", "editor", "moderator"] as const;
export type Role = (typeof ROLES)[number];
export type Visibility = { type: "public" | "organizationPrivate" } | { type: "restricted"; userIds: string[] };

export interface Place {
  organizationId: string;
  documentId: string;
}

interface InDocument extends Place {
  id: string;
  /** Pair that users need while contexts are compared. */
  pair: Pair | undefined;
}
export type Pair = "team:x" | "team:y";

export interface Comment {
  /** Counts up with each new comment. */
  sequence: number;
  author: string;
  text: string;
  /** User who has changed the text last, unless that is the author. */
  editor?: string | undefined;
  /** Users who have reacted. */
  reactions: Set<string>;
}

/** Fields of an annotation that users update. */
export interface AnnotationFields {
  isResolved: boolean;
  assignee: string | undefined;
  priority: string | undefined;
  visibility: Visibility;
}

export interface Annotation extends InDocument, AnnotationFields {
  author: string;
  resolvedBy: string | undefined;
  comments: Map<number, Comment>;
  /** Sequence of the newest comment that each user has read. */
  readUpTo: Map<string, number>;
}

export interface Notification extends InDocument {
  /** Users who have it in their inboxes. */
  recipients: readonly string[];
}

/** Returns whether a role allows what another one does. */
export function includes(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Returns the sequence of the newest comment. */
export function getNewest({ comments }: Annotation): number {
  return Math.max(0, ...[...comments.values()].map(({ sequence }) => sequence));
}

/** Reference implementation of access for users, which caches nothing. */
export class EndUserModel {
  defaultType: AccessType = "organizationPrivate";
  readonly types = new Map<string, AccessType>();
  /** Grants by user and resource. */
  readonly stored = new Map<string, Role>();
  readonly tokens = new Map<string, Role | "expired">();
  annotations: Annotation[] = [];
  readonly notifications: Notification[] = [];
  isContextEnabled = false;
  /** Granted pairs, by user, organization and pair. */
  readonly pairs = new Set<string>();
  #sequence = 0;

  newComment(author: string, text: string): Comment {
    return { sequence: ++this.#sequence, author, text, reactions: new Set() };
  }

  /** Returns the role of a user on a document outside of any folder. */
  getRole(user: string, organizationId: string, documentId: string): Role | undefined {
    const type = this.types.get(`${organizationId} ${documentId}`) ?? this.defaultType;
    const counting = [`document ${documentId}`, ...(type === "restricted" ? [] : ["organization"])];
    return this.#getLower(user, organizationId, counting, type === "public" ? "editor" : undefined);
  }

  /** Returns the lower of the nearest grant of the token and the nearest stored one on resources, nearest first. */
  #getLower(user: string, organizationId: string, resources: string[], otherwise?: Role): Role | undefined {
    const keys = resources.map((resource) => `${user} ${organizationId} ${resource}`);
    const [token] = keys.flatMap((key) => this.tokens.get(key) ?? []);
    const [stored] = keys.flatMap((key) => this.stored.get(key) ?? []);
    if (token === "expired") return undefined;
    if (!token || !stored) return token ?? stored ?? otherwise;
    return ROLES[Math.min(ROLES.indexOf(token), ROLES.indexOf(stored))];
  }

  /** Returns the annotations in a document that a user who may read the document sees. */
  seenIn(user: string, organizationId: string, documentId: string): Annotation[] {
    return this.annotations.filter(
      (one) => one.organizationId === organizationId && one.documentId === documentId && this.sees(user, one),
    );
  }

  /** Returns an annotation of a document, if a user who may read the document sees it. */
  findSeen(user: string, { organizationId, documentId }: Place, id: string): Annotation | undefined {
    return this.seenIn(user, organizationId, documentId).find((one) => one.id === id);
  }

  /** Returns the annotations of which a user who may read the document has not read the newest comment. */
  unreadIn(user: string, organizationId: string, documentId: string): Annotation[] {
    return this.seenIn(user, organizationId, documentId).filter(
      (annotation) => getNewest(annotation) > (annotation.readUpTo.get(user) ?? 0),
    );
  }

  sees(user: string, annotation: Annotation): boolean {
    const { visibility, author, organizationId } = annotation;
    if (!this.#hasPair(user, annotation)) return false;
    if (visibility.type === "public" || author === user) return true;
    if (visibility.type === "restricted") return visibility.userIds.includes(user);
    return this.#getLower(user, organizationId, ["organization"]) !== undefined;
  }

  /** Returns the role with which a user may update these fields of an annotation. */
  getUpdatingRole(user: string, annotation: Annotation, fields: readonly (keyof AnnotationFields)[]): Role {
    const needed = fields.map((field): Role => {
      if (field === "isResolved" && annotation.assignee === user) return "viewer";
      if (annotation.author === user) return "commenter";
      return field === "visibility" ? "moderator" : "editor";
    });
    return ROLES[Math.max(0, ...needed.map((role) => ROLES.indexOf(role)))] ?? "viewer";
  }

  getInbox(user: string, organizationId: string): string[] {
    return this.notifications
      .filter((one) => one.organizationId === organizationId && one.recipients.includes(user))
      .filter((one) => this.#hasPair(user, one) && this.getRole(user, one.organizationId, one.documentId))
      .map(({ id }) => id);
  }

  #hasPair(user: string, { organizationId, pair }: InDocument): boolean {
    return !this.isContextEnabled || !pair || this.pairs.has(`${user} ${organizationId} ${pair}`);
  }
}
