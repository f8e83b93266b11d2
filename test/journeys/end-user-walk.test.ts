import { expect, test } from "vitest";
import { type Annotation, EndUserModel } from "../end-user-model.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { grant, removeGrant } from "../permissions.ts";
import { Random } from "../random.ts";
import { size } from "../sizes.ts";
import { callWith, tokenFor } from "../user-tokens.ts";

// Access is decided anew for each request, so that a change is seen by the next one.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, rolesRememberedMs: 0 } }));
const ANNOTATIONS = "/v2/commentannotations";
const USERS = ["ada", "grace", "kurt"];
const ORGANIZATIONS = ["acme", "globex"];
const DOCUMENTS = ["1", "2", "3"];
const TYPES = ["public", "organizationPrivate", "restricted"] as const;
const ROLES = ["viewer", "editor"] as const;
const CALLS = size({ usual: 500, long: 10_000 });

/** A random walk of three users and their backend through one workspace. */
class Walk {
  readonly #random = new Random(20_261_122);
  readonly #model = new EndUserModel();
  readonly #workspace: TestWorkspace;
  readonly #tokens = new Map<string, string>();
  /** Number of calls that were allowed and denied. */
  readonly outcomes = { allowed: 0, denied: 0 };
  #written = 0;

  constructor(workspace: TestWorkspace) {
    this.#workspace = workspace;
  }

  #one<Item>(items: readonly Item[]): Item {
    const item = items[this.#random.integer(0, items.length - 1)];
    if (item === undefined) throw new Error("there is nothing to choose from");
    return item;
  }

  async start(): Promise<void> {
    for (const organizationId of ORGANIZATIONS) {
      const documents = DOCUMENTS.map((documentId) => ({ documentId }));
      await this.#workspace.data("/v2/organizations/documents/add", { organizationId, documents });
    }
    for (const user of USERS) await this.#renewToken(user);
  }

  async step(): Promise<void> {
    if (this.#random.chance(0.15)) return this.#changeAccess();
    const user = this.#one(USERS);
    const [organizationId, documentId] = [this.#one(ORGANIZATIONS), this.#one(DOCUMENTS)];
    // Another document than that of the annotation is named now and then.
    const known = this.#model.annotations.filter((one) => one.organizationId === organizationId);
    const annotation = known.length > 0 ? this.#one(known) : undefined;
    const place = {
      organizationId,
      documentId: this.#random.chance(0.7) ? (annotation?.documentId ?? documentId) : documentId,
    };
    const acts = [
      this.#list,
      this.#read,
      this.#read,
      this.#count,
      this.#add,
      this.#comment,
      this.#update,
      this.#remove,
    ];
    await this.#one(acts).call(this, user, place, annotation);
  }

  async #changeAccess(): Promise<void> {
    const [organizationId, documentId, user] = [this.#one(ORGANIZATIONS), this.#one(DOCUMENTS), this.#one(USERS)];
    const resource = this.#random.chance(0.5) ? "organization" : `document ${documentId}`;
    const key = `${user} ${organizationId} ${resource}`;
    const choice = this.#random.integer(0, 5);
    if (choice === 0) {
      const type = this.#one(TYPES);
      await this.#workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: type });
      this.#model.defaultType = type;
    } else if (choice === 1) {
      const accessType = this.#one(TYPES);
      const request = { organizationId, documentIds: [documentId], accessType };
      await this.#workspace.data("/v2/organizations/documents/access/update", request);
      this.#model.types.set(`${organizationId} ${documentId}`, accessType);
    } else if (choice === 2) {
      const role = this.#one(ROLES);
      await grant(this.#workspace, user, resource, role, { organizationId });
      this.#model.stored.set(key, role);
    } else if (choice === 3) {
      const expiresAt = Math.floor(Date.now() / 1000) - 1;
      await grant(this.#workspace, user, resource, "editor", { organizationId, expiresAt });
      this.#model.stored.delete(key);
    } else if (choice === 4 && this.#model.stored.has(key)) {
      await removeGrant(this.#workspace, user, resource, organizationId);
      this.#model.stored.delete(key);
      await this.#renewToken(user);
    } else {
      await this.#workspace.data("/v2/auth/tokens/revoke", { userIds: [user] });
      const old = this.#tokens.get(user) ?? "";
      const answer = await callWith(old, `${service.address}/v2/activities/get`, { organizationId, documentId });
      expect(answer).toMatchObject({ httpStatus: 403, body: { error: { details: { reason: "user_token_revoked" } } } });
      await this.#renewToken(user);
    }
  }

  /** Gives the user a token with one random grant. */
  async #renewToken(user: string): Promise<void> {
    const [organizationId, accessRole, id] = [this.#one(ORGANIZATIONS), this.#one(ROLES), this.#one(DOCUMENTS)];
    const isOrganization = this.#random.chance(0.5);
    for (const key of this.#model.tokens.keys()) if (key.startsWith(`${user} `)) this.#model.tokens.delete(key);
    const resource = isOrganization ? "organization" : `document ${id}`;
    this.#model.tokens.set(`${user} ${organizationId} ${resource}`, accessRole);
    const granted = isOrganization
      ? { type: "organization" as const, id: organizationId, accessRole }
      : { type: "document" as const, id, organizationId, accessRole };
    this.#tokens.set(user, await tokenFor(this.#workspace, user, { resources: [granted] }));
  }

  /** Calls as the user. Returns the data of the answer; undefined if the call was denied, as it must be. */
  async #call(
    user: string,
    path: string,
    place: Place,
    request: object,
    needed: "viewer" | "editor",
  ): Promise<unknown> {
    const role = this.#model.roleOn(user, place.organizationId, place.documentId);
    const isAllowed = role === "editor" || role === needed;
    const token = this.#tokens.get(user) ?? "";
    const { body } = await callWith(token, `${service.address}${path}`, { ...place, ...request });
    const { result, error } = Object(body);
    if (isAllowed && result) {
      this.outcomes.allowed++;
      return result.data ?? null;
    }
    if (isAllowed) {
      expect(["NOT_FOUND", "ALREADY_EXISTS"], `${path} ${JSON.stringify(error)}`).toContain(error.status);
      return undefined;
    }
    this.outcomes.denied++;
    expect(body, path).toMatchObject({ error: { details: { reason: "access_denied" } } });
    return undefined;
  }

  async #list(user: string, { organizationId }: Place): Promise<void> {
    const token = this.#tokens.get(user) ?? "";
    const path = "/v2/organizations/documents/get";
    const ids: string[] = [];
    let pageToken: string | undefined;
    do {
      const request = { organizationId, pageSize: 2, ...(pageToken && { pageToken }) };
      const { result } = Object((await callWith(token, `${service.address}${path}`, request)).body);
      ids.push(...result.data.map(({ id }: { id: string }) => id));
      pageToken = result.pageToken;
      // A page is full unless it is the last one.
      expect(pageToken === undefined || result.data.length === 2).toBe(true);
    } while (pageToken !== undefined);
    expect(ids).toEqual(DOCUMENTS.filter((id) => this.#model.roleOn(user, organizationId, id)));
  }

  async #read(user: string, place: Place, annotation: Annotation | undefined): Promise<void> {
    const expected = this.#model.in(place.organizationId, place.documentId);
    const found = await this.#call(user, `${ANNOTATIONS}/get`, place, { order: "asc" }, "viewer");
    if (found !== undefined) expect(textsOf(found)).toEqual(expected.map(textsIn));
    if (!annotation) return;
    const request = { annotationId: annotation.id };
    const comments = await this.#call(user, `${ANNOTATIONS}/comments/get`, place, request, "viewer");
    if (comments !== undefined)
      expect(textsOf([{ comments }])).toEqual([expected.includes(annotation) ? textsIn(annotation) : []]);
  }

  async #count(user: string, { organizationId, documentId }: Place): Promise<void> {
    const path = `${ANNOTATIONS}/count/get`;
    const counts = await this.#call(
      user,
      path,
      { organizationId, documentId },
      { documentId: undefined, documentIds: [documentId] },
      "viewer",
    );
    if (counts !== undefined)
      expect(Object(counts)[documentId].total).toBe(this.#model.in(organizationId, documentId).length);
  }

  async #add(user: string, place: Place): Promise<void> {
    const id = `annotation-${++this.#written}`;
    const text = `${user} ${place.organizationId} ${place.documentId} ${id}`;
    const commentAnnotations = [{ annotationId: id, commentData: [{ commentId: 1, commentText: text }] }];
    const added = await this.#call(user, `${ANNOTATIONS}/add`, place, { commentAnnotations }, "editor");
    if (added === undefined) return;
    this.#model.annotations.push({ id, ...place, author: user, comments: new Map([[1, { author: user, text }]]) });
  }

  async #comment(user: string, place: Place, annotation: Annotation | undefined): Promise<void> {
    if (!annotation || annotation.comments.size > 5) return;
    const commentId = ++this.#written;
    const text = `${user} comment ${commentId}`;
    const request = { annotationId: annotation.id, commentData: [{ commentId, commentText: text }] };
    const added = await this.#call(user, `${ANNOTATIONS}/comments/add`, place, request, "editor");
    expect(added !== undefined && place.documentId !== annotation.documentId).toBe(false);
    if (added !== undefined) annotation.comments.set(commentId, { author: user, text });
  }

  async #update(user: string, place: Place, annotation: Annotation | undefined): Promise<void> {
    if (!annotation) return;
    const text = `${user} changed ${++this.#written}`;
    const commentIds = [...annotation.comments.keys(), 999_999];
    const request = { annotationId: annotation.id, commentIds, updatedData: { commentText: text } };
    const updated = await this.#call(user, `${ANNOTATIONS}/comments/update`, place, request, "editor");
    if (updated === undefined) return;
    const own = this.#ownComments(user, place, annotation);
    expect(succeeded(updated)).toEqual(own.map(String));
    for (const id of own) annotation.comments.set(id, { author: user, text });
  }

  async #remove(user: string, place: Place, annotation: Annotation | undefined): Promise<void> {
    if (!annotation) return;
    if (this.#random.chance(0.3)) {
      const removed = await this.#call(
        user,
        `${ANNOTATIONS}/delete`,
        place,
        { annotationIds: [annotation.id] },
        "editor",
      );
      if (removed === undefined) return;
      const isOwn = annotation.author === user && annotation.documentId === place.documentId;
      expect(succeeded(removed)).toEqual(isOwn ? [annotation.id] : []);
      if (isOwn) this.#model.annotations = this.#model.annotations.filter((one) => one !== annotation);
      return;
    }
    const request = { annotationId: annotation.id, commentIds: [...annotation.comments.keys(), 999_999] };
    const removed = await this.#call(user, `${ANNOTATIONS}/comments/delete`, place, request, "editor");
    if (removed === undefined) return;
    const own = this.#ownComments(user, place, annotation);
    expect(succeeded(removed)).toEqual(own.map(String));
    for (const id of own) annotation.comments.delete(id);
  }

  #ownComments(user: string, { documentId }: Place, annotation: Annotation): number[] {
    if (annotation.documentId !== documentId) return [];
    return [...annotation.comments].filter(([, { author }]) => author === user).map(([id]) => id);
  }
}

interface Place {
  organizationId: string;
  documentId: string;
}

function textsIn({ comments }: Annotation): string[] {
  return [...comments.values()].map(({ text }) => text);
}

function textsOf(annotations: unknown): string[][] {
  return Object(annotations).map(({ comments }: { comments: { commentText: string }[] }) =>
    comments.map(({ commentText }) => commentText),
  );
}

/** Returns the IDs whose items have succeeded. */
function succeeded(results: unknown): string[] {
  return Object.entries(Object(results)).flatMap(([id, item]) => (Object(item).success ? [id] : []));
}

test("no call of three users finds or changes a record that the model denies them", async () => {
  const walk = new Walk(await service.workspace());
  await walk.start();
  for (let call = 0; call < CALLS; call++) await walk.step();
  const { allowed, denied } = walk.outcomes;
  expect(Math.min(allowed, denied)).toBeGreaterThan(CALLS / 10);
});
