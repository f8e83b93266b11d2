import { type Api, operations } from "../../src/operations.ts";
import { DOCUMENT_ID, ORGANIZATION_IDS, type Tenant } from "./tenant.ts";
import { CALLS } from "./write.ts";

/** Calls an operation that reads, with the credentials of the backend or other headers. Returns all pages. */
export interface Read {
  path: keyof Api;
  /** Requests, one for each thing to read. */
  requests(tenant: Tenant): object[] | Promise<object[]>;
  /** Requests of the user grace; the same by default. */
  userRequests(tenant: Tenant): object[] | Promise<object[]>;
}

type Requests<Path extends keyof Api> = Api[Path]["request"][];

function read<Path extends keyof Api>(
  path: Path,
  requests: (tenant: Tenant) => Requests<Path> | Promise<Requests<Path>>,
  userRequests: (tenant: Tenant) => Requests<Path> | Promise<Requests<Path>> = requests,
): Read {
  return { path, requests, userRequests };
}

const indexes = Array.from({ length: CALLS }, (_, index) => index);
const DOCUMENT_IDS = [
  DOCUMENT_ID,
  ...[0, 1].flatMap((index) => [`activities-${index}`, `recordings-${index}`]),
  ...indexes.flatMap((index) => [`document-${index}`, `new-${index}`]),
];
/** The documents that all users of the organization may read. */
const USER_DOCUMENT_IDS = DOCUMENT_IDS.filter((documentId) => !documentId.startsWith("document-"));
/** Requests of grace, who is not a moderator. */
const moderatesNone = () => [];
const PERIOD = { days: 3, timeZone: "UTC" };

/** Every operation that reads, with requests that together return all that it can. */
export const READS: Read[] = [
  read("/v1/notifications/get", ({ organizationId }) => [{ organizationId, userId: "grace" }]),
  read("/v1/users/data/delete/status", (tenant) =>
    indexes.map((index) => ({ jobId: tenant.response("/v1/users/data/delete", index).jobId })),
  ),
  read("/v1/users/data/get", ({ organizationId }) =>
    ["ada", "grace", "user-0", "leaving-0"].map((userId) => ({ organizationId, userId })),
  ),
  read("/v2/activities/actiontypes/get", ({ organizationId }) => [{ organizationId }]),
  read(
    "/v2/activities/get",
    ({ organizationId }) => [{ organizationId }],
    ({ organizationId }) => USER_DOCUMENT_IDS.map((documentId) => ({ organizationId, documentId })),
  ),
  read(
    "/v2/auth/permissions/explain",
    ({ organizationId }) => DOCUMENT_IDS.map((documentId) => ({ organizationId, documentId })),
    moderatesNone,
  ),
  read(
    "/v2/auth/permissions/get",
    ({ organizationId }) => [
      {
        organizationId,
        userIds: ["ada", "grace", "user-0", "user-1", "spare-0", "leaving-0"],
        documentIds: [DOCUMENT_ID],
      },
    ],
    moderatesNone,
  ),
  read("/v2/commentannotations/comments/get", ({ inDocument }) =>
    indexes.map((index) => ({ ...inDocument, annotationId: `annotation-${index}` })),
  ),
  read("/v2/commentannotations/count/get", ({ organizationId }) => [
    { organizationId, documentIds: [DOCUMENT_ID], userId: "grace" },
  ]),
  read(
    "/v2/commentannotations/get",
    ({ organizationId }) => [{ organizationId }],
    ({ inDocument }) => [inDocument],
  ),
  read("/v2/crdt/get", ({ inDocument }) => [inDocument]),
  read("/v2/crdt/schema/get", ({ inDocument }) =>
    indexes.filter((index) => index % 2 === 0).map((index) => ({ ...inDocument, editorId: `editor-${index}` })),
  ),
  read("/v2/crdt/versions/compare", ({ inDocument }) =>
    indexes
      .filter((index) => index % 2 === 0)
      .map((index) => ({
        ...inDocument,
        ...{ editorId: `editor-${index}`, versionId: "version", includeUnchanged: true },
      })),
  ),
  read("/v2/crdt/versions/get", ({ inDocument }) =>
    indexes
      .filter((index) => index % 2 === 0)
      .map((index) => ({ ...inDocument, editorId: `editor-${index}`, versionId: "version" })),
  ),
  read("/v2/crdt/versions/list", ({ inDocument }) =>
    indexes.map((index) => ({ ...inDocument, editorId: `editor-${index}`, kind: "named" as const })),
  ),
  read("/v2/events/get", ({ organizationId, firstCursor: cursor }) => [{ organizationId, cursor }]),
  read("/v2/livestate/get", ({ inDocument }) => [inDocument]),
  read(
    "/v2/notifications/config/documents/get",
    ({ organizationId }) => [{ organizationId, userId: "user-0" }],
    ({ organizationId }) => [{ organizationId, userId: "grace" }],
  ),
  read(
    "/v2/notifications/config/get",
    ({ organizationId }) =>
      ["user-0", "grace"].map((userId) => ({ organizationId, userId, documentIds: [DOCUMENT_ID, "document-0"] })),
    ({ organizationId }) => [{ organizationId, userId: "grace", documentIds: [DOCUMENT_ID] }],
  ),
  read(
    "/v2/notifications/count/get",
    ({ organizationId }) => [{ organizationId, userIds: ["ada", "grace", "user-0"] }],
    ({ organizationId }) => [{ organizationId, userIds: ["grace"] }],
  ),
  read("/v2/notifications/explain", ({ organizationId }) => [
    { organizationId, notificationId: "notification-0", userIds: ["ada", "grace", "user-0"] },
  ]),
  read(
    "/v2/notifications/get",
    ({ organizationId }) => [
      ...["ada", "grace", "user-0"].map((userId) => ({ organizationId, userId })),
      { organizationId, userId: "user-0", archived: "only" },
      { organizationId, documentId: DOCUMENT_ID },
    ],
    ({ organizationId }) => [{ organizationId, userId: "grace" }],
  ),
  read("/v2/organizations/documents/count/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/organizations/documents/figures/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/organizations/documents/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/organizations/documents/migrate/status", (tenant) =>
    indexes.map((index) => ({
      organizationId: tenant.organizationId,
      migrationId: tenant.response("/v2/organizations/documents/migrate", index).migrationId,
    })),
  ),
  read("/v2/organizations/folders/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/organizations/get", () => [{}]),
  read("/v2/organizations/notifications/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/organizations/presence/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/organizations/usergroups/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/presence/get", ({ inDocument }) => [inDocument]),
  read(
    "/v2/recordings/get",
    ({ organizationId }) => [{ organizationId }],
    ({ organizationId }) => USER_DOCUMENT_IDS.map((documentId) => ({ organizationId, documentId })),
  ),
  read("/v2/users/count/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/users/data/deletions/get", () => [{}]),
  read("/v2/users/data/deletions/receipt/get", (tenant) =>
    indexes.map((index) => ({ jobId: tenant.response("/v1/users/data/delete", index).jobId })),
  ),
  read("/v2/users/data/organizations/get", () => ["ada", "leaving-0"].map((userId) => ({ userId }))),
  read("/v2/users/documents/get", ({ organizationId }) => [
    { organizationId, userIds: ["ada", "grace", "user-0"], includeInvolvedDocuments: true },
  ]),
  read("/v2/users/figures/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/users/get", ({ organizationId }) => [{ organizationId }]),
  read("/v2/version", () => [{}]),
  read("/v2/workspace/activities/get", () => [{ pageSize: 100 }]),
  read("/v2/workspace/activityconfig/get", () => [{}]),
  read("/v2/workspace/advancedwebhook/deliveries/figures/get", () => [{}]),
  read("/v2/workspace/advancedwebhook/deliveries/get", ({ space: { endpointId } }) => [{ endpointId, limit: 250 }]),
  read("/v2/workspace/advancedwebhook/deliveries/payload/get", async (tenant) => {
    const { endpointId } = tenant.space;
    const path = "/v2/workspace/advancedwebhook/deliveries/get";
    const { deliveries } = await tenant.data(path, { endpointId, limit: 250 });
    const own = deliveries.filter(({ organizationId }) => organizationId === tenant.organizationId);
    return own.map(({ deliveryId }) => ({ endpointId, deliveryId }));
  }),
  read("/v2/workspace/advancedwebhook/endpoints/get", () => [{ limit: 250 }]),
  read("/v2/workspace/advancedwebhook/endpoints/secret/get", ({ space: { endpointId } }) => [{ endpointId }]),
  read("/v2/workspace/advancedwebhookconfig/get", () => [{}]),
  read("/v2/workspace/apikeyconfig/get", () => [{}]),
  read("/v2/workspace/audit/get", () => [{}]),
  read("/v2/workspace/authtokens/get", () => [{}]),
  read("/v2/workspace/documents/figures/get", () => [{}]),
  read("/v2/workspace/domains/get", () => [{}]),
  read("/v2/workspace/emailconfig/get", () => [{}]),
  read("/v2/workspace/mails/get", () => [{}]),
  read("/v2/workspace/notificationconfig/get", () => [{}]),
  read("/v2/workspace/organizations/get", () => [{}]),
  read("/v2/workspace/outbox/get", () => [{}]),
  read("/v2/workspace/outbox/mails/get", async (tenant) => {
    const pages = await readPages(tenant, "/v2/workspace/outbox/get", {}, {});
    return pages.flat().map((mail) => ({ mailId: String(Object(mail).id) }));
  }),
  read("/v2/workspace/overview/get", () => [PERIOD]),
  // Requests appear in the log later, and the reading of everything adds some, so the test compares them by themselves.
  read("/v2/workspace/requests/get", () => []),
  read("/v2/workspace/requests/statistics/get", () => []),
  read("/v2/workspace/retention/get", () => [{}]),
  read("/v2/workspace/search/get", ({ space: { name } }) =>
    [...ORGANIZATION_IDS, name, "grace", "user", "document"].map((search) => ({ search, limit: 50 })),
  ),
  read("/v2/workspace/sessions/get", () => [{}]),
  read("/v2/workspace/tokenissuerconfig/get", () => [{}]),
  read("/v2/workspace/users/figures/get", () => [{}]),
  read("/v2/workspace/users/get", () => ["ada", "grace", "leaving-0"].map((userId) => ({ userId }))),
  read("/v2/workspace/webhookconfig/get", () => [{}]),
  read("/v2/workspaces/get", () => [{}]),
];

/** Paths of the operations that users may call. */
const USER_PATHS = new Set<string>(operations.flatMap(({ path, endUsers }) => (endUsers ? [path] : [])));

/** Reads every page of every request. As the user of a token, only what users may read. Returns the pages by path. */
export async function readEverything(tenant: Tenant, reads: Read[], userToken?: string): Promise<Map<string, unknown>> {
  const headers = userToken === undefined ? {} : { authorization: `Bearer ${userToken}` };
  const allowed = reads.filter(({ path }) => userToken === undefined || USER_PATHS.has(path));
  const readings = allowed.map(async ({ path, requests, userRequests }): Promise<[string, unknown]> => {
    const given = await (userToken === undefined ? requests : userRequests)(tenant);
    const pages = await Promise.all(given.map((request) => readPages(tenant, path, request, headers)));
    return [path, merged(pages.flat())];
  });
  return new Map(await Promise.all(readings));
}

/** Returns the records of all pages, also if they are in fields of the pages. */
function merged(pages: unknown[]): unknown {
  if (pages.every((page) => Array.isArray(page))) return pages.flat();
  const fields = new Set(pages.flatMap((page) => Object.keys(Object(page))));
  return Object.fromEntries([...fields].map((field) => [field, pages.flatMap((page) => Object(page)[field] ?? [])]));
}

async function readPages(tenant: Tenant, path: string, request: object, headers: Record<string, string>) {
  const pages: unknown[] = [];
  let continuation: object | undefined = {};
  while (continuation) {
    const response = Object(await tenant.call(path, { ...request, ...continuation }, headers)).result;
    pages.push(response.data);
    continuation = getContinuation(response);
  }
  return pages;
}

/** Returns the fields of the request for the next page, if there is one. */
function getContinuation({ pageToken, nextPageToken, data }: Record<string, unknown>): object | undefined {
  const token = pageToken ?? nextPageToken;
  if (token) return { pageToken: token };
  const { iterator, events = [], cursor } = Object(data);
  if (iterator) return { iterator };
  return events.length > 0 ? { cursor } : undefined;
}

/** Reads the request log. */
export async function readRequestLog(tenant: Tenant) {
  const log: Api["/v2/workspace/requests/get"]["response"] = [];
  for (const page of await readPages(tenant, "/v2/workspace/requests/get", {}, {})) log.push(...Object(page));
  return log;
}
