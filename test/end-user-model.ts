import type { AccessType } from "../src/contract/access-type.ts";

export type Role = "viewer" | "editor";
export type Visibility = { type: "public" | "organizationPrivate" } | { type: "restricted"; userIds: string[] };

interface InDocument {
  id: string;
  organizationId: string;
  documentId: string;
  /** Pair that users need while contexts are compared. */
  pair: Pair | undefined;
}
export type Pair = "team:x" | "team:y";

export interface Annotation extends InDocument {
  author: string;
  visibility: Visibility;
  /** Texts and authors of the comments, by ID. */
  comments: Map<number, { author: string; text: string }>;
  /** ID of the newest comment that each user has read. */
  readUpTo: Map<string, number>;
}

export interface Notification extends InDocument {
  /** Users who have it in their inboxes. */
  recipients: readonly string[];
}

/** Reference implementation of access for users, which caches nothing. */
export class EndUserModel {
  defaultType: AccessType = "organizationPrivate";
  readonly types = new Map<string, AccessType>();
  /** Grants by user and resource. */
  readonly stored = new Map<string, Role>();
  readonly tokens = new Map<string, Role>();
  annotations: Annotation[] = [];
  readonly notifications: Notification[] = [];
  isContextEnabled = false;
  /** Granted pairs, by user, organization and pair. */
  readonly pairs = new Set<string>();

  grantOn(user: string, resource: string): Role | undefined {
    const key = `${user} ${resource}`;
    return this.stored.get(key) ?? this.tokens.get(key);
  }

  /** Returns the role of a user on a document outside of any folder. */
  getRole(user: string, organizationId: string, documentId: string): Role | undefined {
    const own = this.types.get(`${organizationId} ${documentId}`);
    const ofDocument = this.grantOn(user, `${organizationId} document ${documentId}`);
    if (ofDocument) return ofDocument;
    const type = own ?? this.defaultType;
    if (type === "restricted") return undefined;
    return this.grantOn(user, `${organizationId} organization`) ?? (type === "public" ? "editor" : undefined);
  }

  /** Returns the annotations in a document that a user who may read the document sees. */
  seenIn(user: string, organizationId: string, documentId: string): Annotation[] {
    return this.annotations.filter(
      (one) => one.organizationId === organizationId && one.documentId === documentId && this.sees(user, one),
    );
  }

  /** Returns the annotations of which a user who may read the document has not read the newest comment. */
  unreadIn(user: string, organizationId: string, documentId: string): Annotation[] {
    return this.seenIn(user, organizationId, documentId).filter(
      ({ comments, readUpTo }) => Math.max(0, ...comments.keys()) > (readUpTo.get(user) ?? 0),
    );
  }

  sees(user: string, annotation: Annotation): boolean {
    const { visibility, author, organizationId } = annotation;
    if (!this.#hasPair(user, annotation)) return false;
    if (visibility.type === "public" || author === user) return true;
    if (visibility.type === "restricted") return visibility.userIds.includes(user);
    return this.grantOn(user, `${organizationId} organization`) !== undefined;
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
