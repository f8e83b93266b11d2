import type { AccessType } from "../src/contract/access-type.ts";

export type Role = "viewer" | "editor";
export interface Annotation {
  id: string;
  organizationId: string;
  documentId: string;
  author: string;
  /** Texts and authors of the comments, by ID. */
  comments: Map<number, { author: string; text: string }>;
}

/** What the service must know and decide, looked up anew each time. */
export class EndUserModel {
  defaultType: AccessType = "public";
  readonly types = new Map<string, AccessType>();
  /** Grants by user and resource. */
  readonly stored = new Map<string, Role>();
  readonly tokens = new Map<string, Role>();
  annotations: Annotation[] = [];

  grantOn(user: string, resource: string): Role | undefined {
    const key = `${user} ${resource}`;
    return this.stored.get(key) ?? this.tokens.get(key);
  }

  /** Returns the role of a user on a document outside of any folder. */
  roleOn(user: string, organizationId: string, documentId: string): Role | undefined {
    const own = this.types.get(`${organizationId} ${documentId}`);
    const ofDocument = this.grantOn(user, `${organizationId} document ${documentId}`);
    if (ofDocument) return ofDocument;
    const type = own ?? this.defaultType;
    if (type === "restricted") return undefined;
    return this.grantOn(user, `${organizationId} organization`) ?? (type === "public" ? "editor" : undefined);
  }

  in(organizationId: string, documentId: string): Annotation[] {
    return this.annotations.filter((one) => one.organizationId === organizationId && one.documentId === documentId);
  }
}
