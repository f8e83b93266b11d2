import { expect, test } from "vitest";
import { compileEmailRemoval } from "../../src/contract/email-removal.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { EVENT_KINDS } from "../../src/features/event-log/event.ts";
import { operations } from "../../src/operations.ts";
import { openEventStream } from "../event-streams.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { callWith, getEditor, tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;
const EVENTS = "/v2/events/get";
const HIDDEN = "@hidden.example";
/** Addresses in free-form fields and in texts, which are returned as they were sent. */
const KEPT = "@kept.example";

function user(userId: string) {
  return { userId, name: `The user ${userId}`, email: `${userId}${HIDDEN}`, photoUrl: "https://files.example/1.png" };
}

function presence(userId: string) {
  const { photoUrl: _, ...entry } = user(userId);
  return entry;
}

const [ADA, GRACE, BOB] = [user("ada"), user("grace"), user("bob")];
/** A free-form value, which may look like a user. */
const FREE_FORM = { email: `desk${KEPT}`, owner: { userId: "owner", email: `owner${KEPT}` } };
const contact = { ...BOB, team: "legal" };
const comment = {
  ...{ from: ADA, commentText: `Ask desk${KEPT}, @Bob`, metadata: FREE_FORM, context: FREE_FORM },
  ...{ attachments: [FREE_FORM], taggedUserContacts: [{ text: "@Bob", userId: "bob", contact }] },
  ...{ triggerNotification: true, triggerActivities: true },
};
const OPEN = { id: "OPEN", name: "Open", type: "default" };
const annotationIds = ["thread"];
const annotation = {
  ...{ annotationId: "thread", assignedTo: GRACE, location: { id: "page", ...FREE_FORM }, targetElement: FREE_FORM },
  ...{ context: FREE_FORM, priority: FREE_FORM, pageInfo: FREE_FORM, type: "suggestion", suggestion: FREE_FORM },
  commentData: [comment],
};
const updateThread = (updatedData: object) => ({
  ...{ ...SCOPE, annotationIds, updatedData, actionUser: ADA, triggerNotification: true, triggerActivities: true },
});
const reaction = { ...SCOPE, annotationId: "thread", commentId: 1, reaction: "👍", from: BOB };
const template = { user: ADA, others: [{ deep: BOB }], email: `variable${KEPT}` };

/** Requests of a backend that put an address into each user that users can read. */
const WRITES: readonly (readonly [path: string, request: object])[] = [
  [
    "/v2/activities/add",
    {
      ...SCOPE,
      activities: [
        {
          ...{ id: "activity", featureType: "custom", actionType: "invite", targetEntityId: "t", actionUser: ADA },
          ...{ changes: { email: { from: `old${KEPT}`, to: `new${KEPT}` }, owner: { from: ADA, to: BOB } } },
          ...{ entityData: FREE_FORM, entityTargetData: FREE_FORM, displayMessageTemplateData: template },
        },
      ],
    },
  ],
  ["/v2/activities/update", { organizationId, activities: [{ id: "activity", actionIcon: "bell" }] }],
  ["/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [annotation] }],
  ["/v2/commentannotations/comments/add", { ...SCOPE, annotationId: "thread", commentData: [comment] }],
  [
    "/v2/commentannotations/comments/update",
    { ...SCOPE, annotationId: "thread", commentIds: [1], updatedData: { commentText: `Sorry, desk${KEPT}` } },
  ],
  ["/v2/reactions/add", reaction],
  ["/v2/reactions/delete", reaction],
  ["/v2/reactions/add", reaction],
  ["/v2/commentannotations/update", updateThread({ location: { id: "next page", ...FREE_FORM } })],
  ["/v2/commentannotations/update", updateThread({ assignedTo: BOB })],
  ["/v2/commentannotations/update", updateThread({ status: OPEN, priority: "high" })],
  ["/v2/commentannotations/update", updateThread({ status: { id: "D", name: "Done", type: "terminal" } })],
  ["/v2/commentannotations/update", updateThread({ suggestion: { status: "accepted" } })],
  ["/v2/commentannotations/update", updateThread({ suggestion: { status: "rejected" } })],
  [
    "/v2/notifications/add",
    {
      ...{ ...SCOPE, notificationId: "invitation", actionUser: ADA, notifyUsers: [GRACE, BOB], metadata: FREE_FORM },
      ...{ context: FREE_FORM, location: { id: "page", ...FREE_FORM }, notificationSourceData: { thread: annotation } },
      ...{ displayHeadlineMessageTemplate: "{user}", displayHeadlineMessageTemplateData: template },
      ...{ displayBodyMessage: `Write to desk${KEPT}`, displayBodyMessageTemplateData: template },
    },
  ],
  [
    "/v1/notifications/update",
    { ...SCOPE, notifications: [{ id: "invitation", displayBodyMessage: `Or to desk${KEPT}` }] },
  ],
  ["/v2/recordings/add", { ...SCOPE, recordings: [{ annotationId: "recording", from: ADA }] }],
  ["/v2/recordings/update", { ...SCOPE, recordings: [{ annotationId: "recording", displayName: "Second" }] }],
  ["/v2/presence/add", { ...SCOPE, users: [presence("bob")] }],
  ["/v2/livestate/broadcast", { ...SCOPE, liveStateDataId: "state", data: FREE_FORM }],
  ["/v2/organizations/documents/update", { organizationId, documents: [{ documentId, ...FREE_FORM }] }],
  ["/v2/crdt/add", { ...SCOPE, editorId: "editor", type: "map", data: FREE_FORM }],
  ["/v2/crdt/versions/add", { ...SCOPE, editorId: "editor", versionId: "first", name: "First" }],
  ["/v2/users/add", { organizationId, users: [ADA, GRACE, BOB].map((one) => ({ ...one, accessRole: "moderator" })) }],
];

const isOfUsers = ({ response }: Pick<Operation, "response">) => response && compileEmailRemoval(response) !== null;
const reading = operations.filter((one) => one.authentication !== "none" && one.endUsers && one.scope === "read");
/** Kinds of events whose records have no users, and those that users do not get. */
const WITHOUT_USERS = /^(crdt|document|live_state|organization|access|user|user_data)\.|\.(delete|read)$/;

/** The requests of a user, by operation, that return all that there is. */
const READS: { [path: string]: object } = {
  "/v1/notifications/get": { organizationId },
  "/v2/activities/get": SCOPE,
  "/v2/auth/permissions/explain": SCOPE,
  "/v2/auth/permissions/get": { organizationId, documentIds: [documentId], userIds: ["ada", "bob"] },
  "/v2/commentannotations/comments/get": { ...SCOPE, annotationId: "thread" },
  "/v2/commentannotations/count/get": { organizationId, documentIds: [documentId] },
  "/v2/commentannotations/get": SCOPE,
  "/v2/crdt/get": SCOPE,
  "/v2/crdt/schema/get": { ...SCOPE, editorId: "editor" },
  "/v2/crdt/versions/compare": { ...SCOPE, editorId: "editor", versionId: "first" },
  "/v2/crdt/versions/get": { ...SCOPE, editorId: "editor", versionId: "first" },
  "/v2/crdt/versions/list": { ...SCOPE, editorId: "editor" },
  "/v2/events/get": SCOPE,
  "/v2/livestate/get": SCOPE,
  "/v2/notifications/config/documents/get": { organizationId },
  "/v2/notifications/config/get": { organizationId, documentIds: [documentId] },
  "/v2/notifications/count/get": { organizationId },
  "/v2/notifications/get": { organizationId },
  "/v2/organizations/documents/get": { organizationId },
  "/v2/organizations/usergroups/get": { organizationId },
  "/v2/presence/get": SCOPE,
  "/v2/recordings/get": SCOPE,
  "/v2/users/get": { organizationId },
};

/** Creates a workspace with a document and a token of bob, a moderator. */
async function start(): Promise<{ workspace: TestWorkspace; token: string }> {
  const workspace = await service.workspace();
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  const resources = [{ type: "organization" as const, id: organizationId, accessRole: "moderator" as const }];
  return { workspace, token: await tokenFor(workspace, "bob", { resources }) };
}

async function write(workspace: TestWorkspace): Promise<void> {
  for (const [path, request] of WRITES) {
    const { body } = await workspace.call(path, request);
    expect([path, JSON.stringify(body)]).toEqual([path, expect.not.stringMatching(/error|false/)]);
  }
}

/** Reads as a user. Returns the JSON text of the result. */
async function readAs(token: string, path: string, request: object): Promise<string> {
  const { httpStatus, body } = await callWith(token, `${service.address}${path}`, request);
  expect([path, httpStatus, body]).toEqual([path, 200, expect.anything()]);
  return JSON.stringify(Object(body).result);
}

function showAddresses(workspace: TestWorkspace, showUserEmails: boolean) {
  return workspace.data("/v2/workspace/apikeyconfig/update", { showUserEmails });
}

/** Returns the addresses of a domain in a text, each once. */
function findAddresses(json: string, domain: string): string[] {
  return [...new Set(json.match(new RegExp(`[\\w]+${domain}`, "g")))].sort();
}

test("no operation returns the address of a user to users, and each returns free-form fields as they are", async () => {
  const { workspace, token } = await start();
  await write(workspace);
  expect(reading.map(({ path }) => path)).toEqual(Object.keys(READS));
  const hidden = new Map<string, string>();
  for (const { path } of reading) hidden.set(path, await readAs(token, path, READS[path] ?? {}));
  await showAddresses(workspace, true);
  for (const operation of reading) {
    const { path } = operation;
    const shown = await readAs(token, path, READS[path] ?? {});
    expect([path, findAddresses(hidden.get(path) ?? "", HIDDEN)]).toEqual([path, []]);
    expect([path, findAddresses(shown, HIDDEN).length > 0]).toEqual([path, isOfUsers(operation)]);
    expect([path, findAddresses(hidden.get(path) ?? "", KEPT)]).toEqual([path, findAddresses(shown, KEPT)]);
  }
});

test("no event has the address of a user, unless the workspace shows them", async () => {
  const { workspace, token } = await start();
  const request = { ...SCOPE, inbox: true };
  const { cursor } = JSON.parse(await readAs(token, EVENTS, request)).data;
  await write(workspace);
  const read = async (): Promise<{ event: string }[]> =>
    JSON.parse(await readAs(token, EVENTS, { ...request, cursor })).data.events;
  const hidden = await read();
  await showAddresses(workspace, true);
  const shown = await read();
  for (const [index, event] of shown.entries()) {
    expect([event.event, findAddresses(JSON.stringify(hidden[index]), HIDDEN)]).toEqual([event.event, []]);
    const hasUsers = !WITHOUT_USERS.test(event.event);
    expect([event.event, findAddresses(JSON.stringify(event), HIDDEN).length > 0]).toEqual([event.event, hasUsers]);
  }
  const kinds = EVENT_KINDS.filter((kind) => !WITHOUT_USERS.test(kind));
  expect(kinds.filter((kind) => !shown.some(({ event }) => event === kind))).toEqual([]);
});

test("a stream has no address of a user, and shows them once the workspace does", async () => {
  const { workspace, token } = await start();
  const headers = { authorization: `Bearer ${token}` };
  const stream = await openEventStream(workspace, service.address, { query: { documentId, inbox: "true" }, headers });
  const arrived = (text: string) => eventually(() => expect(JSON.stringify(stream.received)).toContain(text));
  await write(workspace);
  const join = (userId: string) => workspace.data("/v2/presence/add", { ...SCOPE, users: [presence(userId)] });
  await join("first");
  await arrived("The user first");
  expect(findAddresses(JSON.stringify(stream.received), HIDDEN)).toEqual([]);
  await showAddresses(workspace, true);
  await join("second");
  await arrived("The user second");
  await join("third");
  await arrived(`third${HIDDEN}`);
});

test("IDs that are names of fields hide no addresses and lose nothing", async () => {
  const { workspace, token } = await start();
  const documentIds = ["context", "email", "metadata", "from"];
  for (const id of documentIds) {
    const commentData = [{ from: ADA, commentText: "Hello" }];
    const request = { organizationId, documentId: id, commentAnnotations: [{ commentData }] };
    await workspace.data("/v2/commentannotations/add", request);
  }
  const request = { organizationId, documentIds, groupByDocumentId: true };
  const json = await readAs(token, "/v2/commentannotations/get", request);
  expect(findAddresses(json, HIDDEN)).toEqual([]);
  for (const id of documentIds) expect(JSON.parse(json).data[id]).toMatchObject([{ from: { userId: "ada" } }]);
});

test("a user who sends back what they have read keeps the addresses that are stored", async () => {
  const { workspace, token } = await start();
  await write(workspace);
  const call = async (path: string, request: object) => JSON.parse(await readAs(token, path, { ...SCOPE, ...request }));
  const [thread] = (await call("/v2/commentannotations/get", {})).data;
  const { assignedTo, comments } = thread;
  await call("/v2/commentannotations/update", { annotationIds, updatedData: { assignedTo, priority: "low" } });
  const { taggedUserContacts } = comments[0];
  const updatedData = { taggedUserContacts, commentText: "Ask @Bob" };
  await call("/v2/commentannotations/comments/update", { annotationId: "thread", commentIds: [1], updatedData });
  const [stored] = Object(await workspace.data("/v2/commentannotations/get", SCOPE));
  expect(stored).toMatchObject({ assignedTo: BOB, priority: "low" });
  expect(stored.comments[0]).toMatchObject({ ...updatedData, taggedUserContacts: [{ text: "@Bob", contact }] });
});

test("a token needs no address, and then what its user writes has none", async () => {
  const { workspace } = await start();
  const resources = [getEditor(organizationId)];
  const request = { userId: "ada", userProperties: { name: "Ada" }, permissions: { resources } };
  const { token } = await workspace.data("/v2/auth/generate_token", request);
  const commentAnnotations = [{ commentData: [{ commentText: "Hello" }] }];
  await readAs(token, "/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
  const annotations = await workspace.data("/v2/commentannotations/get", SCOPE);
  expect(annotations).toMatchObject([{ from: { userId: "ada", name: "Ada" } }]);
  expect(JSON.stringify(annotations)).not.toContain("email");
});

test("a search for words tells users nothing about the address of another user", async () => {
  const { workspace, token } = await start();
  await write(workspace);
  const find = async (query: string) => {
    const { data } = JSON.parse(await readAs(token, "/v2/activities/get", { ...SCOPE, query }));
    return data.map(({ id }: { id: string }) => id).includes("activity");
  };
  const address = `ada${HIDDEN}`;
  const guesses = [address, `ADA${HIDDEN}`, `"${address}"`, `nothing or ${address}`, `invite ${address}`];
  const excluding = [`invite -${address}`, `invite -"${address}"`];
  const findAll = async () => [
    await Promise.all(guesses.map(find)),
    await Promise.all(excluding.map(find)),
    await find("invite"),
  ];
  const ofUnknown = [...guesses, ...excluding].map((query) => find(query.replaceAll(/ada@/gi, "nobody@")));
  const [found, left] = await findAll();
  expect([found, left].flat()).toEqual(await Promise.all(ofUnknown));
  expect(left).toEqual([true, true]);
  await showAddresses(workspace, true);
  await expect.poll(findAll).toEqual([guesses.map(() => true), excluding.map(() => false), true]);
});
