import { expect, test } from "vitest";
import { type Api, operations } from "../src/operations.ts";
import { enableContext } from "./access-context.ts";
import { addAnnotations, addComments, asList } from "./comments.ts";
import { addActivities, SCOPE } from "./factories.ts";
import { startTestService, type TestWorkspace } from "./harness.ts";
import { addNotification, FULL_NOTIFICATION } from "./notifications.ts";
import { addRecordings, FULL_RECORDING } from "./recordings.ts";
import { callWith, tokenFor } from "./user-tokens.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;
const ORGANIZATION = { organizationId };
const ANNOTATION = { ...SCOPE, annotationId: "a" };

type Path = keyof Api;
type Fields = Record<string, unknown>;

interface RoundTrip {
  /** Reads the record. */
  get: [path: Path, request: object];
  /** Returns the request that sends it. */
  send: (record: Fields) => object;
  /** Whether the operation only takes records that do not exist yet, which this one does. */
  isNew?: true;
  /** Field that says that the record was updated. */
  marks?: string;
}

const ACTIVITY: RoundTrip = {
  get: ["/v2/activities/get", ORGANIZATION],
  send: (activity) => ({ ...SCOPE, activities: [activity] }),
};
const RECORDING: RoundTrip = {
  get: ["/v2/recordings/get", ORGANIZATION],
  send: (recording) => ({ ...SCOPE, recordings: [recording] }),
};
const DOCUMENT: RoundTrip = {
  get: ["/v2/organizations/documents/get", ORGANIZATION],
  send: (document) => ({ ...ORGANIZATION, documents: [document] }),
};
const FOLDER: RoundTrip = {
  get: ["/v2/organizations/folders/get", ORGANIZATION],
  send: (folder) => ({ ...ORGANIZATION, folders: [folder] }),
};
const USER: RoundTrip = { get: ["/v2/users/get", ORGANIZATION], send: (user) => ({ ...ORGANIZATION, users: [user] }) };
const SETTINGS = (path: Path): RoundTrip => ({ get: [path, {}], send: (settings) => settings });
const CRDT: RoundTrip = {
  get: ["/v2/crdt/get", { ...SCOPE, editorId: "e" }],
  send: (editor) => ({ ...SCOPE, ...editor }),
};

const TRIPS: { [path: string]: RoundTrip } = {
  "/v1/notifications/update": {
    get: ["/v2/notifications/get", SCOPE],
    send: (notification) => ({ ...SCOPE, notifications: [notification] }),
  },
  "/v2/activities/add": ACTIVITY,
  "/v2/activities/update": { ...ACTIVITY, send: (activity) => ({ ...ORGANIZATION, activities: [activity] }) },
  "/v2/commentannotations/add": {
    get: ["/v2/commentannotations/get", SCOPE],
    send: (annotation) => ({ ...SCOPE, commentAnnotations: [annotation] }),
    isNew: true,
  },
  "/v2/commentannotations/update": {
    get: ["/v2/commentannotations/get", SCOPE],
    send: (updatedData) => ({ ...SCOPE, annotationIds: ["a"], updatedData }),
  },
  "/v2/commentannotations/comments/add": {
    get: ["/v2/commentannotations/comments/get", ANNOTATION],
    send: (comment) => ({ ...ANNOTATION, commentData: [comment] }),
    isNew: true,
  },
  "/v2/commentannotations/comments/update": {
    get: ["/v2/commentannotations/comments/get", ANNOTATION],
    send: (updatedData) => ({ ...ANNOTATION, commentIds: [1], updatedData }),
    marks: "status",
  },
  "/v2/crdt/add": { ...CRDT, isNew: true },
  "/v2/crdt/update": CRDT,
  "/v2/livestate/broadcast": {
    get: ["/v2/livestate/get", SCOPE],
    send: (state) => ({ ...SCOPE, ...state }),
  },
  "/v2/organizations/add": {
    get: ["/v2/organizations/get", { organizationIds: [organizationId] }],
    send: (organization) => ({ organizations: [organization] }),
    isNew: true,
  },
  "/v2/organizations/update": {
    get: ["/v2/organizations/get", { organizationIds: [organizationId] }],
    send: (organization) => ({ organizations: [organization] }),
  },
  "/v2/organizations/documents/add": DOCUMENT,
  "/v2/organizations/documents/update": DOCUMENT,
  "/v2/organizations/folders/add": { ...FOLDER, isNew: true },
  "/v2/organizations/folders/update": FOLDER,
  "/v2/organizations/usergroups/add": {
    get: ["/v2/organizations/usergroups/get", ORGANIZATION],
    send: (group) => ({ ...ORGANIZATION, organizationUserGroups: [group] }),
  },
  "/v2/presence/add": { get: ["/v2/presence/get", SCOPE], send: (user) => ({ ...SCOPE, users: [user] }) },
  "/v2/recordings/add": RECORDING,
  "/v2/recordings/update": { ...RECORDING, send: (recording) => ({ ...ORGANIZATION, recordings: [recording] }) },
  "/v2/users/add": USER,
  "/v2/users/update": USER,
  "/v2/workspace/activityconfig/update": SETTINGS("/v2/workspace/activityconfig/get"),
  "/v2/workspace/advancedwebhookconfig/update": SETTINGS("/v2/workspace/advancedwebhookconfig/get"),
  "/v2/workspace/advancedwebhook/endpoints/update": {
    get: ["/v2/workspace/advancedwebhook/endpoints/get", {}],
    send: (endpoint) => endpoint,
  },
  "/v2/workspace/apikeyconfig/update": SETTINGS("/v2/workspace/apikeyconfig/get"),
  "/v2/workspace/emailconfig/update": SETTINGS("/v2/workspace/emailconfig/get"),
  "/v2/workspace/notificationconfig/update": SETTINGS("/v2/workspace/notificationconfig/get"),
  "/v2/workspace/tokenissuerconfig/update": SETTINGS("/v2/workspace/tokenissuerconfig/get"),
  "/v2/workspace/webhookconfig/update": SETTINGS("/v2/workspace/webhookconfig/get"),
};

async function fill(workspace: TestWorkspace): Promise<void> {
  await enableContext(workspace);
  const context = { access: { team: "legal" } };
  await workspace.data("/v2/organizations/add", {
    organizations: [{ organizationId, organizationName: "Acme", plan: { seats: 3 } }],
  });
  await workspace.data("/v2/organizations/documents/add", {
    ...ORGANIZATION,
    documents: [{ documentId, documentName: "Contract", tags: ["a"] }],
  });
  await workspace.data("/v2/organizations/folders/add", {
    ...ORGANIZATION,
    folders: [{ folderId: "drafts", folderName: "Drafts" }],
  });
  const ada = { userId: "ada", name: "Ada", email: "ada@example.com" };
  await workspace.data("/v2/users/add", {
    ...ORGANIZATION,
    users: [{ ...ada, accessRole: "editor" as const, team: "x" }],
  });
  await workspace.data("/v2/organizations/usergroups/add", {
    ...ORGANIZATION,
    organizationUserGroups: [{ groupId: "legal", groupName: "Legal" }],
  });
  await workspace.data("/v2/organizations/usergroups/users/add", {
    ...ORGANIZATION,
    ...{ organizationUserGroupId: "legal", userIds: ["ada"] },
  });
  const changes = { title: { from: 1, to: 2 } };
  await addActivities(workspace, [{ id: "first", timestamp: 1_000, changes, entityData: { "": null } }]);
  await addAnnotations(workspace, [{ annotationId: "a", context, assignedTo: ada, priority: { n: 1 } }]);
  const taggedUserContacts = [{ text: "@Ada", userId: "ada", contact: ada }];
  await addComments(workspace, [{ from: ada, commentText: "Hello", taggedUserContacts, context: { page: 3 } }]);
  await addNotification(workspace, "n1", { ...FULL_NOTIFICATION, context, metadata: { kind: "x" } });
  await addRecordings(workspace, [{ ...FULL_RECORDING }]);
  await workspace.data("/v2/presence/add", { ...SCOPE, users: [{ ...ada, status: "away" as const }] });
  await workspace.data("/v2/crdt/add", { ...SCOPE, editorId: "e", type: "map" as const, data: { title: "Draft" } });
  await workspace.data("/v2/livestate/broadcast", { ...SCOPE, liveStateDataId: "cursor", data: { x: 1 } });
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  await workspace.data("/v2/workspace/advancedwebhook/endpoints/create", { url: "https://acme.example/webhooks" });
}

/** Fields that say when, how often, or that a record was written. */
const WRITING = ["lastActive", "lastUpdate", "lastUpdated", "latestVersion", "updatedAt"];

async function send(
  workspace: TestWorkspace,
  path: string,
  data: object,
): Promise<{ result?: { data: unknown }; error?: { message: string } }> {
  return Object((await workspace.call(path, data)).body);
}

async function read(workspace: TestWorkspace, { get: [path, request] }: RoundTrip): Promise<Fields> {
  const { data } = (await send(workspace, path, request)).result ?? expect.fail();
  const list: unknown = Array.isArray(data) ? data : Object(data).endpoints;
  return Object(Array.isArray(list) ? list[0] : data);
}

function withoutWriting(record: Fields, { marks }: RoundTrip): Fields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== marks && !WRITING.includes(name)));
}

test.each(Object.entries(TRIPS))("what was read can be sent to %s, which changes nothing", async (path, trip) => {
  const workspace = await service.workspace();
  await fill(workspace);
  const before = await read(workspace, trip);
  const body = await send(workspace, path, trip.send(before));
  const text = JSON.stringify(body);
  if (trip.isNew) expect(text).toMatch(/exists already|has a comment 1 already/);
  else expect([body.error, text.includes('"success":false')], text).toEqual([undefined, false]);
  expect(withoutWriting(await read(workspace, trip), trip)).toEqual(withoutWriting(before, trip));
});

/** Operations that write something else than records that are read. */
const OTHERS =
  /\/(access|disablestate|accesstype|authtokens?|config|domains|locations|permissions|reactions|users|versions)\/\w+$/;

/**
 * Adds notifications that do not exist yet, from a list of users, which a notification does not have. Files are not
 * returned, and the schema of a collaborative document is replaced as a whole.
 */
const UNRETURNED = ["/v2/crdt/schema/update", "/v2/notifications/add", "/v2/files/add"];

test("every operation that adds or updates records is among them", () => {
  const stored = operations.filter(({ isTransient }) => !isTransient).map(({ path }) => path);
  const writing = stored.filter((path) => /\/(add|update|set|broadcast)$/.test(path));
  const known = new Set(Object.keys(TRIPS));
  const others = writing.filter((path) => !known.has(path));
  expect(others.filter((path) => !OTHERS.test(path) && !UNRETURNED.includes(path))).toEqual([]);
});

const UNKNOWN = "is not a field of this operation.";
const DIFFERS =
  `${UNKNOWN} It is set by the service and differs from what is stored: ` +
  "leave it out, or send it as it was returned.";

test.each([
  ["/v2/activities/add", "data.activities[0].metadata", { metadata: { documentId: "other" } }],
  ["/v2/activities/update", "data.activities[0].timestamp", { timestamp: 1_001 }],
  ["/v2/organizations/documents/update", "data.documents[0].lastActivity", { lastActivity: 1 }],
  ["/v2/commentannotations/update", "data.updatedData.comments", { comments: [] }],
  ["/v1/notifications/update", "data.notifications[0].timestamp", { timestamp: 1 }],
  ["/v2/workspace/apikeyconfig/update", "data.ownerEmail", { ownerEmail: "eve@example.com" }],
])("%s rejects %s if it differs from what is stored", async (path, field, changed) => {
  const workspace = await service.workspace();
  await fill(workspace);
  const trip = TRIPS[path] ?? expect.fail();
  const before = await read(workspace, trip);
  const body = await send(workspace, path, trip.send({ ...before, ...changed }));
  expect(body.error?.message).toBe(`${field} ${DIFFERS}`);
  expect(await read(workspace, trip)).toEqual(before);
});

test("of 500 records each is compared with its own", async () => {
  const workspace = await service.workspace();
  await addActivities(
    workspace,
    Array.from({ length: 500 }, (_, number) => ({ id: `${number}`, timestamp: number })),
  );
  const activities = await workspace.data("/v2/activities/get", { organizationId });
  expect(await send(workspace, "/v2/activities/update", { organizationId, activities })).not.toHaveProperty("error");
  const swapped = activities.map((activity, index) => (index === 7 ? { ...activity, timestamp: 1 } : activity));
  const body = await send(workspace, "/v2/activities/update", { organizationId, activities: swapped });
  expect(body.error?.message).toBe(`data.activities[7].timestamp ${DIFFERS}`);
});

test("a record that is not stored is neither updated nor added with what the service sets", async () => {
  const workspace = await service.workspace();
  await fill(workspace);
  const record = await read(workspace, ACTIVITY);
  const activities = [{ ...record, id: "unknown" }];
  const updated = await send(workspace, "/v2/activities/update", { organizationId, activities });
  expect(updated.error?.message).toContain(UNKNOWN);
  const added = await send(workspace, "/v2/activities/add", { ...SCOPE, activities });
  expect(added.error?.message).toContain(UNKNOWN);
});

test("a user sends what they have read, and is told what differs", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "mine", assignedTo: { userId: "bob", email: "bob@example.com" } }]);
  const token = await tokenFor(workspace, "ada");
  const call = async (path: string, data: object) => {
    const { body } = await callWith(token, `${service.address}${path}`, { ...SCOPE, ...data });
    return Object(body);
  };
  const { result } = await call("/v2/commentannotations/get", {});
  const [annotation] = result.data;
  const update = (updatedData: object) =>
    call("/v2/commentannotations/update", { annotationIds: ["mine"], updatedData });
  const { error } = await update({ ...annotation, from: { userId: "eve" } });
  expect(error.message).toBe(`data.updatedData.from ${DIFFERS}`);
  expect((await update(annotation)).result.data).toMatchObject({ mine: { success: true } });
});

test("a user who may not see a record learns nothing about it by sending it", async () => {
  const workspace = await service.workspace();
  await fill(workspace);
  await addAnnotations(workspace, [{ annotationId: "hidden", visibility: { type: "restricted", userIds: ["bob"] } }]);
  const annotations = await workspace.data("/v2/commentannotations/get", { ...SCOPE, annotationIds: ["hidden"] });
  const [hidden] = asList(annotations);
  const token = await tokenFor(workspace, "grace");
  const sendAsGrace = async (fields: object) => {
    const data = { ...SCOPE, annotationIds: ["hidden"], updatedData: { ...hidden, ...fields } };
    return (await callWith(token, `${service.address}/v2/commentannotations/update`, data)).body;
  };
  expect(await sendAsGrace({ annotationNumber: 77 })).toEqual(await sendAsGrace({}));
});

test("a request that is invalid otherwise is rejected as such, also if what is stored may not be read", async () => {
  const workspace = await service.workspace();
  await fill(workspace);
  await workspace.data("/v2/organizations/access/disablestate/update", {
    organizationIds: [organizationId],
    disabled: true,
  });
  const folders = [{ folderId: "drafts", parentFolderId: null }];
  const { error } = await send(workspace, "/v2/organizations/folders/add", { organizationId, folders });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
});
