import { expect, test } from "vitest";
import { buildContext, enableContext, grantPairs } from "../../../test/access-context.ts";
import { addAnnotations } from "../../../test/comments.ts";
import { addContent } from "../../../test/crdt.ts";
import { addActivities, SCOPE } from "../../../test/factories.ts";
import { addFolders } from "../../../test/folders.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification } from "../../../test/notifications.ts";
import { grant, removeGrant, resourceNamed } from "../../../test/permissions.ts";
import { getRejection, openPage, openSyncedPage } from "../../../test/sync.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import type { AccessRole } from "../../contract/end-user.ts";

// Access is not cached, so that the next request sees a change.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, roleCacheMs: 0 } }));
const { organizationId, documentId } = SCOPE;
const DOCUMENT = `document ${documentId}`;
const EXPIRED = "expired";
/** Grants by resource: a role, or `expired` for an editor until a past time. */
type Grants = Readonly<Record<string, AccessRole | typeof EXPIRED>>;

function toToken(workspace: TestWorkspace, grants: Grants): Promise<string> {
  const granted = { elsewhere: "editor", ...grants };
  const resources = Object.entries(granted).map(([resource, role]) => ({
    ...(resource === "elsewhere" ? resourceNamed("organization", "globex") : resourceNamed(resource)),
    ...(role === EXPIRED ? { expiresAt: 1 } : { accessRole: role as AccessRole }),
  }));
  return tokenFor(workspace, "ada", { resources });
}

/** Returns what a call of the user is: the data of the response, or the reason of the error. */
async function call(token: string, path: string, request: object = {}) {
  const { body } = await callWith(token, `${service.address}${path}`, { organizationId, documentId, ...request });
  const { result, error } = Object(body);
  return error ? error.details.reason : result.data;
}

/** Returns what the user may do in the document, as far as operations tell it. */
async function getAbility(token: string): Promise<string> {
  if ((await call(token, "/v2/crdt/versions/list", { editorId: "missing" })) === "access_denied") return "none";
  const data = { liveStateDataId: "cursor", data: { x: 1 } };
  return (await call(token, "/v2/livestate/broadcast", data)) === "access_denied" ? "reads" : "writes";
}

/** Creates a workspace with a document in a folder of an organization. */
async function withDocument(accessType: "public" | "organizationPrivate" = "organizationPrivate") {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: accessType });
  await addFolders(workspace, [{ folderId: "f" }]);
  await workspace.data("/v2/organizations/documents/add", {
    ...{ organizationId, folderId: "f", documents: [{ documentId }] },
  });
  return workspace;
}

test.each<[token: Grants, stored: Grants, ability: string]>([
  [{}, {}, "none"],
  [{}, { organization: "editor" }, "writes"],
  [{ organization: "editor" }, {}, "writes"],
  [{ organization: "viewer" }, { organization: "editor" }, "reads"],
  [{ organization: "viewer" }, { [DOCUMENT]: "editor" }, "reads"],
  [{ [DOCUMENT]: "viewer" }, { organization: "editor" }, "reads"],
  [{ "folder f": "commenter" }, { organization: "moderator" }, "reads"],
  [{ organization: "editor" }, { organization: "viewer" }, "reads"],
  [{ [DOCUMENT]: "editor" }, { organization: "viewer" }, "reads"],
  [{ [DOCUMENT]: "moderator" }, { "folder f": "commenter" }, "reads"],
  [{ [DOCUMENT]: "moderator" }, { "folder f": "editor" }, "writes"],
  [{ [DOCUMENT]: "editor", organization: "viewer" }, { organization: "editor" }, "writes"],
  [{ [DOCUMENT]: "viewer", organization: "editor" }, { organization: "editor" }, "reads"],
  [{ organization: "editor" }, { [DOCUMENT]: "viewer", organization: "editor" }, "reads"],
  [{ "document other": "viewer" }, { organization: "editor" }, "writes"],
  [{ organization: "editor" }, { organization: EXPIRED }, "writes"],
  [{ [DOCUMENT]: EXPIRED }, { organization: "editor" }, "none"],
  [{ [DOCUMENT]: EXPIRED, organization: "editor" }, {}, "none"],
  [{ [DOCUMENT]: "viewer", organization: EXPIRED }, {}, "reads"],
])("a token that grants %o lets a user with %o stored do: %s", async (granted, stored, ability) => {
  const workspace = await withDocument();
  for (const [resource, role] of Object.entries(stored)) {
    if (role === EXPIRED) await grant(workspace, "ada", resource, "editor", { expiresAt: 1 });
    else await grant(workspace, "ada", resource, role);
  }
  expect(await getAbility(await toToken(workspace, granted))).toBe(ability);
});

test.each<[token: Grants, ability: string]>([
  [{}, "writes"],
  [{ organization: "viewer" }, "reads"],
  [{ [DOCUMENT]: EXPIRED }, "none"],
])("in a public document, a token that grants %o lets its user do: %s", async (granted, ability) => {
  const workspace = await withDocument("public");
  expect(await getAbility(await toToken(workspace, granted))).toBe(ability);
});

test("a grant of a token that was removed does not bound what is stored, even if it had expired", async () => {
  const workspace = await withDocument();
  const expired = await toToken(workspace, { [DOCUMENT]: EXPIRED });
  const viewer = await toToken(workspace, { [DOCUMENT]: "viewer" });
  await removeGrant(workspace, "ada", DOCUMENT);
  await grant(workspace, "ada", "organization", "editor");
  expect([await getAbility(expired), await getAbility(viewer)]).toEqual(["writes", "writes"]);
});

test.each(["public", "organizationPrivate"] as const)(
  "an expired grant of a token closes a document of the type %s in lists, events and document sync",
  async (accessType) => {
    const workspace = await withDocument(accessType);
    await grant(workspace, "ada", "organization", "editor");
    await addActivities(workspace, ["a"]);
    await addNotification(workspace, "n", { notifyUsers: [{ userId: "ada" }] });
    await addContent(workspace, { type: "text", data: "one" });
    const read = async (token: string) => {
      const ids = async (path: string) => {
        const records = await call(token, path, { documentId: undefined });
        return records.map(({ id }: { id: string }) => id);
      };
      const count = await call(token, "/v2/notifications/count/get", { documentId: undefined });
      const { cursor } = await call(token, "/v2/events/get", { documentId: undefined });
      await addActivities(workspace, ["another"]);
      const { events } = await call(token, "/v2/events/get", { documentId: undefined, cursor });
      return {
        documents: await ids("/v2/organizations/documents/get"),
        activities: (await ids("/v2/activities/get")).length > 0,
        inbox: await ids("/v2/notifications/get"),
        unread: count.ada.unread,
        events: events.map(({ event }: { event: string }) => event),
      };
    };
    const open = { documents: [documentId], activities: true, inbox: ["n"], unread: 1, events: ["activity.add"] };
    expect(await read(await toToken(workspace, { organization: "viewer" }))).toEqual(open);
    const token = await toToken(workspace, { [DOCUMENT]: EXPIRED });
    expect(await read(token)).toEqual({ documents: [], activities: false, inbox: [], unread: 0, events: [] });
    expect(await getRejection(openPage(service.address, { token }))).toBe("access_denied");
  },
);

test("document sync takes the lower role of the token and of what is stored", async () => {
  const workspace = await withDocument();
  await addContent(workspace, { type: "text", data: "one" });
  const open = async (granted: Grants) => {
    const page = await openSyncedPage(service.address, { token: await toToken(workspace, granted) });
    return page.provider.authorizedScope;
  };
  await grant(workspace, "ada", "organization", "editor");
  expect(await open({ organization: "commenter" })).toBe("readonly");
  expect(await open({ [DOCUMENT]: "moderator" })).toBe("read-write");
  await grant(workspace, "ada", "organization", "viewer");
  expect(await open({ [DOCUMENT]: "moderator" })).toBe("readonly");
});

test("annotations for the organization are hidden by an expired grant of a token on it", async () => {
  const workspace = await withDocument();
  await grant(workspace, "ada", "organization", "editor");
  const visibility = { type: "organizationPrivate" as const, organizationId };
  const commentData = [{ commentText: "Is it final?", from: { userId: "grace" } }];
  await addAnnotations(workspace, [{ annotationId: "private", visibility, commentData }]);
  const count = async (granted: Grants) =>
    (await call(await toToken(workspace, granted), "/v2/commentannotations/get")).length;
  expect(await count({ [DOCUMENT]: "viewer", organization: "viewer" })).toBe(1);
  expect(await count({ [DOCUMENT]: "viewer", organization: EXPIRED })).toBe(0);
});

test("a pair that has expired in the token is not held, even if it is stored", async () => {
  const workspace = await withDocument();
  await enableContext(workspace);
  const access = { project: "p1" };
  await addAnnotations(workspace, [{ annotationId: "project", context: { access } }]);
  await grantPairs(workspace, "ada", access);
  const count = async (expiresAt: object) => {
    const resources = [resourceNamed("organization"), { ...buildContext(access), ...expiresAt }];
    return (await call(await tokenFor(workspace, "ada", { resources }), "/v2/commentannotations/get")).length;
  };
  expect([await count({}), await count({ expiresAt: 1 })]).toEqual([1, 0]);
});
