import { expect, test } from "vitest";
import {
  anyPair,
  anyVisibility,
  BackendOfWalk,
  contextFields,
  DOCUMENTS,
  ORGANIZATIONS,
  USERS,
  visibilityField,
} from "../end-user-backend.ts";
import { type Annotation, EndUserModel, ROLES, type Role } from "../end-user-model.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";
import { size } from "../sizes.ts";
import { callWith } from "../user-tokens.ts";

// Access is not cached, so that the next request sees a change.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, roleCacheMs: 0 } }));
const ANNOTATIONS = "/v2/commentannotations";
const CALLS = size({ usual: 500, long: 10_000 });

/** A random walk of three users through one workspace, whose backend changes what they may see. */
class Walk {
  readonly #random = new Random(SEED);
  readonly #model = new EndUserModel();
  readonly #backend: BackendOfWalk;
  /** Number of calls that were allowed and denied. */
  readonly outcomes = { allowed: 0, denied: 0 };
  #written = 0;

  constructor(workspace: TestWorkspace) {
    this.#backend = new BackendOfWalk(service.address, workspace, this.#model, this.#random);
  }

  start(): Promise<void> {
    return this.#backend.start();
  }

  async step(): Promise<void> {
    if (this.#random.chance(0.25)) return this.#backend.step();
    const user = this.#random.one(USERS);
    const [organizationId, documentId] = [this.#random.one(ORGANIZATIONS), this.#random.one(DOCUMENTS)];
    // Another document than that of the annotation is named now and then.
    const known = this.#model.annotations.filter((one) => one.organizationId === organizationId);
    const annotation = known.length > 0 ? this.#random.one(known) : undefined;
    const place = {
      organizationId,
      documentId: this.#random.chance(0.7) ? (annotation?.documentId ?? documentId) : documentId,
    };
    const acts = [
      this.#list,
      this.#readFeed,
      this.#readInbox,
      this.#removeFromInbox,
      this.#read,
      this.#read,
      this.#count,
      this.#markRead,
      this.#add,
      this.#comment,
      this.#update,
      this.#remove,
    ];
    await this.#random.one(acts).call(this, user, place, annotation);
  }

  async #readInbox(user: string, { organizationId }: Place): Promise<void> {
    const token = this.#backend.getToken(user);
    const request = { organizationId, order: "asc", pageSize: 1000 };
    const { body } = await callWith(token, `${service.address}/v2/notifications/get`, request);
    const ids = Object(body).result.data.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual(this.#model.getInbox(user, organizationId).sort());
    const counted = await callWith(token, `${service.address}/v2/notifications/count/get`, { organizationId });
    expect(Object(counted.body).result.data[user].total).toBe(ids.length);
  }

  async #removeFromInbox(user: string, { organizationId }: Place): Promise<void> {
    if (this.#model.notifications.length === 0) return;
    const notification = this.#random.one(this.#model.notifications);
    const { id, recipients } = notification;
    const inbox = this.#model.getInbox(user, organizationId);
    const token = this.#backend.getToken(user);
    const request = { organizationId, notificationIds: [id] };
    const { body } = await callWith(token, `${service.address}/v2/notifications/delete`, request);
    expect(succeeded(Object(body).result.data)).toEqual(inbox.includes(id) ? [id] : []);
    if (inbox.includes(id)) notification.recipients = recipients.filter((recipient) => recipient !== user);
  }

  /** Calls as the user. Returns the data of the response; undefined if the call was denied, as it must be. */
  async #call(user: string, path: string, place: Place, request: object, needed: Role): Promise<unknown> {
    const role = this.#model.getRole(user, place.organizationId, place.documentId);
    const isAllowed = role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
    const token = this.#backend.getToken(user);
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
    const ids = (await this.#readPages(user, organizationId, "/v2/organizations/documents/get")).map(({ id }) => id);
    expect(ids).toEqual(this.#readableDocuments(user, organizationId));
  }

  async #readFeed(user: string, { organizationId }: Place): Promise<void> {
    const activities = await this.#readPages(user, organizationId, "/v2/activities/get");
    const readable = this.#readableDocuments(user, organizationId);
    expect(activities.map(({ targetEntityId }) => targetEntityId).toReversed()).toEqual([...readable, ...readable]);
  }

  #readableDocuments(user: string, organizationId: string): string[] {
    return DOCUMENTS.filter((id) => this.#model.getRole(user, organizationId, id));
  }

  /** Reads all pages of an operation in an organization as the user. A page is full unless it is the last one. */
  async #readPages(user: string, organizationId: string, path: string) {
    const token = this.#backend.getToken(user);
    const records: { id: string; targetEntityId?: string }[] = [];
    let pageToken: string | undefined;
    do {
      const request = { organizationId, pageSize: 2, ...(pageToken && { pageToken }) };
      const { result } = Object((await callWith(token, `${service.address}${path}`, request)).body);
      records.push(...result.data);
      pageToken = result.pageToken;
      expect(pageToken === undefined || result.data.length === 2).toBe(true);
    } while (pageToken !== undefined);
    return records;
  }

  async #read(user: string, place: Place, annotation: Annotation | undefined): Promise<void> {
    const expected = this.#model.seenIn(user, place.organizationId, place.documentId);
    const found = await this.#call(user, `${ANNOTATIONS}/get`, place, { order: "asc" }, "viewer");
    if (found !== undefined) expect(buildTexts(found)).toEqual(expected.map(textsIn));
    if (!annotation) return;
    const request = { annotationId: annotation.id };
    const comments = await this.#call(user, `${ANNOTATIONS}/comments/get`, place, request, "viewer");
    if (comments !== undefined)
      expect(buildTexts([{ comments }])).toEqual([expected.includes(annotation) ? textsIn(annotation) : []]);
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
    if (counts === undefined) return;
    const total = this.#model.seenIn(user, organizationId, documentId).length;
    const unread = this.#model.unreadIn(user, organizationId, documentId).length;
    expect(Object(counts)[documentId]).toEqual({ total, unread });
  }

  async #markRead(user: string, place: Place, annotation: Annotation | undefined): Promise<void> {
    const only = this.#random.chance(0.5) ? annotation : undefined;
    const request = only && { annotationIds: [only.id] };
    const read = await this.#call(user, `${ANNOTATIONS}/read`, place, { ...request }, "viewer");
    if (read === undefined) return;
    const unread = this.#model.unreadIn(user, place.organizationId, place.documentId);
    const marked = unread.filter((one) => only === undefined || one === only);
    expect(read).toMatchObject({ readCount: marked.length });
    for (const { comments, readUpTo } of marked) readUpTo.set(user, Math.max(...comments.keys()));
  }

  async #add(user: string, place: Place): Promise<void> {
    const id = `annotation-${++this.#written}`;
    const text = `${user} ${place.organizationId} ${place.documentId} ${id}`;
    const [visibility, pair] = [anyVisibility(this.#random), anyPair(this.#random)];
    const commentData = [{ commentId: 1, commentText: text }];
    const commentAnnotations = [
      { annotationId: id, commentData, ...visibilityField(visibility, place), ...contextFields(pair) },
    ];
    const added = await this.#call(user, `${ANNOTATIONS}/add`, place, { commentAnnotations }, "editor");
    if (added === undefined) return;
    const comments = new Map([[1, { author: user, text }]]);
    const readUpTo = new Map([[user, 1]]);
    this.#model.annotations.push({ id, ...place, author: user, visibility, pair, comments, readUpTo });
  }

  async #comment(user: string, place: Place, annotation: Annotation | undefined): Promise<void> {
    if (!annotation || annotation.comments.size > 5) return;
    const commentId = ++this.#written;
    const text = `${user} comment ${commentId}`;
    const request = { annotationId: annotation.id, commentData: [{ commentId, commentText: text }] };
    const added = await this.#call(user, `${ANNOTATIONS}/comments/add`, place, request, "editor");
    if (added === undefined) return;
    expect([place.documentId, this.#model.sees(user, annotation)]).toEqual([annotation.documentId, true]);
    annotation.comments.set(commentId, { author: user, text });
    annotation.readUpTo.set(user, commentId);
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
      const isOwn =
        annotation.author === user && annotation.documentId === place.documentId && this.#model.sees(user, annotation);
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
    if (annotation.documentId !== documentId || !this.#model.sees(user, annotation)) return [];
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

function buildTexts(annotations: unknown): string[][] {
  return Object(annotations).map(({ comments }: { comments: { commentText: string }[] }) =>
    comments.map(({ commentText }) => commentText),
  );
}

/** Returns the IDs whose items have succeeded. */
function succeeded(results: unknown): string[] {
  return Object.entries(Object(results)).flatMap(([id, item]) => (Object(item).success ? [id] : []));
}

test(`no call of three users finds or changes a record that the model denies them (TEST_SEED=${SEED})`, async () => {
  const walk = new Walk(await service.workspace());
  await walk.start();
  for (let call = 0; call < CALLS; call++) await walk.step();
  const { allowed, denied } = walk.outcomes;
  expect(Math.min(allowed, denied)).toBeGreaterThan(CALLS / 10);
});
