import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { BackendOfWalk, DOCUMENTS, ORGANIZATIONS, USERS } from "../end-user-backend.ts";
import { EndUserCalls } from "../end-user-calls.ts";
import { EndUserModel } from "../end-user-model.ts";
import { byId, type Call, type Outcome, readAnnotation, readItems, toOutcome, toView } from "../end-user-views.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";
import { size } from "../sizes.ts";
import { callWith } from "../user-tokens.ts";

// Access is not cached, so that the next request sees a change.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, roleCacheMs: 0 } }));
const CALLS = size({ usual: 300, long: 10_000 });

/** A random walk of six users through one workspace, whose backend changes what they may see and do. */
class Walk {
  readonly #random = new Random(SEED);
  readonly #model = new EndUserModel();
  readonly #calls = new EndUserCalls(this.#random, this.#model);
  readonly #workspace: TestWorkspace;
  readonly #backend: BackendOfWalk;
  /** Number of calls by what they have led to. */
  readonly counts = { permitted: 0, denied: 0, partlyDenied: 0, missing: 0 };

  constructor(workspace: TestWorkspace) {
    this.#workspace = workspace;
    this.#backend = new BackendOfWalk(service.address, workspace, this.#model, this.#random);
  }

  start(): Promise<void> {
    return this.#backend.start();
  }

  /** Makes one call of a user or the backend. */
  async step(): Promise<void> {
    if (this.#random.chance(0.2)) return this.#backend.step();
    const user = this.#random.one(USERS);
    if (this.#random.chance(0.2)) {
      const reads = [this.#list, this.#readFeed, this.#readInbox, this.#removeFromInbox];
      return this.#random.one(reads).call(this, user, this.#random.one(ORGANIZATIONS));
    }
    const call = this.#calls.next(user);
    const outcome = await this.#send(call);
    expect(outcome, describe(call)).toEqual(call.apply(this.#model));
  }

  /** Makes one call of each user, all in flight at once. Some order of the calls must explain all outcomes. */
  async round(): Promise<void> {
    if (this.#random.chance(0.7)) await this.#backend.step();
    const arrived: { call: Call; outcome: Outcome }[] = [];
    const calls = USERS.map((user) => this.#calls.next(user));
    await Promise.all(calls.map(async (call) => arrived.push({ call, outcome: await this.#send(call) })));
    const isExplained = explain(this.#model, arrived);
    expect(isExplained, arrived.map(({ call, outcome }) => describe(call, outcome)).join("\n")).toBe(true);
  }

  async #send(call: Call): Promise<Outcome> {
    const token = this.#backend.getToken(call.user);
    const { body } = await callWith(token, `${service.address}${call.path}`, call.request);
    const outcome = toOutcome(call, body);
    this.#count(outcome);
    return outcome;
  }

  #count(outcome: Outcome): void {
    const text = JSON.stringify(outcome);
    if ("requiredRole" in outcome) this.counts.denied++;
    else if ("error" in outcome || text.includes('"missing"')) this.counts.missing++;
    else if (/:"(editor|moderator|commenter)"}}$/.test(text)) this.counts.partlyDenied++;
    else this.counts.permitted++;
  }

  /** Compares all annotations with those of the model, which knows them from the outcomes of the calls. */
  async compareAll(): Promise<void> {
    for (const organizationId of ORGANIZATIONS) {
      const request = { organizationId, documentIds: DOCUMENTS };
      const stored = await this.#workspace.data("/v2/commentannotations/get", request);
      const known = this.#model.annotations.filter((one) => one.organizationId === organizationId);
      expect(Array.from(Object(stored), readAnnotation).sort(byId)).toEqual(known.map(toView).sort(byId));
    }
  }

  async #readInbox(user: string, organizationId: string): Promise<void> {
    const token = this.#backend.getToken(user);
    const request = { organizationId, order: "asc", pageSize: 1000 };
    const { body } = await callWith(token, `${service.address}/v2/notifications/get`, request);
    const ids = Object(body).result.data.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual(this.#model.getInbox(user, organizationId).sort());
    const counted = await callWith(token, `${service.address}/v2/notifications/count/get`, { organizationId });
    expect(Object(counted.body).result.data[user].total).toBe(ids.length);
  }

  async #removeFromInbox(user: string, organizationId: string): Promise<void> {
    if (this.#model.notifications.length === 0) return;
    const notification = this.#random.one(this.#model.notifications);
    const { id, recipients } = notification;
    const isThere = this.#model.getInbox(user, organizationId).includes(id);
    const token = this.#backend.getToken(user);
    const request = { organizationId, notificationIds: [id] };
    const { body } = await callWith(token, `${service.address}/v2/notifications/delete`, request);
    expect(readItems(Object(body).result.data)).toEqual({ [id]: isThere ? "done" : "missing" });
    if (isThere) notification.recipients = recipients.filter((recipient) => recipient !== user);
  }

  async #list(user: string, organizationId: string): Promise<void> {
    const ids = (await this.#readPages(user, organizationId, "/v2/organizations/documents/get")).map(({ id }) => id);
    expect(ids).toEqual(this.#readableDocuments(user, organizationId));
  }

  async #readFeed(user: string, organizationId: string): Promise<void> {
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
}

/** Returns whether the calls, one after the other in some order, have these outcomes, and makes them in the model. */
function explain(model: EndUserModel, made: readonly { call: Call; outcome: Outcome }[]): boolean {
  if (made.length === 0) return true;
  const before = model.annotations;
  return made.some((first) => {
    model.annotations = structuredClone(before);
    const rest = made.filter((one) => one !== first);
    if (isDeepStrictEqual(first.call.apply(model), first.outcome) && explain(model, rest)) return true;
    model.annotations = before;
    return false;
  });
}

function describe({ user, path, request }: Call, outcome?: Outcome): string {
  return [user, path, JSON.stringify(request), outcome && JSON.stringify(outcome)].join(" ");
}

test(`no call of six users finds or changes a record that the model denies them (TEST_SEED=${SEED})`, async () => {
  const walk = new Walk(await service.workspace());
  await walk.start();
  for (let call = 0; call < CALLS; call++) await walk.step();
  await walk.compareAll();
  expect(Math.min(...Object.values(walk.counts))).toBeGreaterThan(CALLS / 100);
});

test(`calls of six users at once have the outcomes of some order of them (TEST_SEED=${SEED})`, async () => {
  const walk = new Walk(await service.workspace());
  await walk.start();
  for (let call = 0; call < CALLS; call += USERS.length) {
    await walk.round();
    if (call % 10 === 0) await walk.compareAll();
  }
  await walk.compareAll();
  expect(Math.min(...Object.values(walk.counts))).toBeGreaterThan(CALLS / 100);
});
