import fc from "fast-check";
import type { PreferredValues } from "./request-arbitraries.ts";

const TEXT = "Payment is due within thirty days. 😀";
/** Values that most calls of the fuzz tests use, so that calls refer to the same records. */
export const PREFERRED_VALUES: PreferredValues = {
  identifier: ["ada", "ada", "ada", "grace", "__proto__", "clause 3/é😀"],
  organizationId: ["acme", "acme", "acme", "acme", "acme", "__proto__", "archive"],
  // Other operations rarely use these organizations, so disabling or deleting them affects few calls.
  organizationIds: ["archive", "attic"],
  documentId: ["contract-7", "contract-7", "contract-7", "contract-7", "constructor"],
  documentIds: ["constructor", "draft"],
  folderId: ["contracts", "contracts", "offers", "drafts"],
  timeZone: ["UTC", "Asia/Kathmandu", "America/St_Johns"],
  folderIds: ["contracts", "offers"],
  parentFolderId: ["root", "contracts", "offers"],
  createFolder: [true],
  locationId: ["page-2"],
  targetEntityId: ["clause-3"],
  immutable: [...Array(9).fill(false), true],
  createOrganization: [true],
  createDocument: [true],
  apiKey: ["region:user:password", ""],
  email: ["ada@acme.example", "ada@example.com", "grace@example.com", "no address"],
  continueUrl: ["https://app.acme.example/welcome", "javascript:alert(1)", "https:acme.example", "http://[fe80::1%0]/"],
  fromEmail: ["notices@example.com", ""],
  // If on, test mails would go to a provider that does not exist.
  useEmailService: [false],
  // The test replaces a name in angle brackets by the latest ID of ASSIGNED_IDS.
  jobId: ["<jobId>"],
  migrationId: ["<migrationId>"],
  endpointId: ["<endpointId>"],
  deliveryId: ["<deliveryId>"],
  tokenIds: ["<tokenId>"],
  mailId: ["<mailId>"],
  versionId: ["ada"],
  // This host does not exist.
  url: ["https://acme.example/hooks"],
  filterTypes: ["comment.add"],
  disabled: [false, false, false, true],
  isEnabled: [true, true, true, false],
  since: [0],
  domains: [
    "https://app.example.com",
    "*.example.com",
    "localhost:80",
    "bücher.example",
    "[::1]",
    "WWW.example.org/x",
    "fe80::1%eth0",
  ],
};
const place = { organizationId: "acme", documentId: "contract-7" };
const EDITORS: Record<string, fc.Arbitrary<unknown>> = {
  text: fc.constantFrom(TEXT, "", "\0", "x".repeat(10_000)),
  map: fc.constantFrom({ title: TEXT, nested: { list: [1, null, { "": [] }] } }, { ["__proto__"]: { a: 1 } }, {}),
  array: fc.constantFrom([], [{ "\0": TEXT }, { a: [[]] }]),
  xml: fc.constantFrom('<p class="a">a<b/>&amp;</p><p/>', "", "text"),
};
/** Returns requests for one of the first `count` collaborative documents of each type; most are for the first two. */
function editors(count = 2): fc.Arbitrary<{ editorId: string }> {
  const ofType = ([type, data]: [string, fc.Arbitrary<unknown>]) =>
    fc.record({
      editorId: fc.oneof(fc.nat(1), fc.nat(count - 1)).map((number) => `${type} ${number}`),
      type: fc.constant(type),
      contentKey: fc.constant("content"),
      organizationId: fc.constant(place.organizationId),
      documentId: fc.constant(place.documentId),
      data,
    });
  return fc.oneof(...Object.entries(EDITORS).map(ofType));
}
/** Requests for versions of one of these. */
const versions = editors().map(({ editorId }) => ({ ...place, editorId }));
const ofDocument = fc.constant({ documentId: "contract-7", locationId: undefined, userId: undefined });
/** Preferred identifiers that a deletion may use, so that other calls still find records of ada. */
const NOT_ADA = ["grace", "__proto__", "clause 3/é😀"];
const ADA = { userId: "ada" };
const ADA_EMAIL = "ada@example.com";
const credentials = fc.constant({ apiKey: "<apiKey>", authToken: "<authToken>" });
const permissions = fc.constant({ permissions: { resources: [{ type: "organization", id: "acme" }] } });
/** The annotation that most calls concern. */
const annotationAda = { ...place, annotationId: "ada" };
const comments = [{ commentId: 1, commentText: TEXT, from: ADA, taggedUserContacts: [{ userId: "grace" }] }];
const newAnnotations = fc.nat(20).map((number) => ({
  documentId: "contract-7",
  commentAnnotations: ["ada", `annotation ${number}`].map((annotationId) => ({ annotationId, commentData: comments })),
}));
const someAnnotation = fc.nat(20).map((number) => ({
  documentId: "contract-7",
  annotationIds: [`annotation ${number}`, `annotation ${number + 1}`],
  locationIds: undefined,
  userIds: undefined,
}));
const reaction = fc.constant({ ...annotationAda, commentId: 1, reaction: "+1", from: ADA });
/** IDs that the service assigns, by path: the name that requests have for it, and its place in the response. */
export const ASSIGNED_IDS: Record<string, string[]> = {
  "/v1/users/data/delete": ["jobId", "jobId"],
  "/v2/users/data/delete": ["jobId", "jobId"],
  "/v2/organizations/documents/migrate": ["migrationId", "migrationId"],
  "/v2/workspace/advancedwebhook/endpoints/create": ["endpointId", "id"],
  "/v2/workspace/advancedwebhook/deliveries/get": ["deliveryId", "deliveries", "0", "id"],
  "/v2/workspace/authtokens/add": ["tokenId", "id"],
  "/v2/workspace/mails/get": ["mailId", "0", "mailId"],
};
/** Combinations of fields that most calls of an operation use, by path. */
export const PREFERRED_COMBINATIONS: Record<string, fc.Arbitrary<object>> = {
  // If off or immutable, it would stay so for many calls.
  "/v2/workspace/activityconfig/update": fc.constant({ activityServiceConfig: { isEnabled: true, immutable: false } }),
  "/v1/notifications/get": ofDocument,
  "/v2/notifications/add": fc.constant({ ...place, notificationId: "ada" }),
  "/v1/notifications/update": ofDocument.map((scope) => {
    return { ...scope, organizationId: "acme", notifications: [{ id: "ada", readByUserIds: ["grace"] }] };
  }),
  "/v2/notifications/get": ofDocument,
  "/v2/notifications/delete": ofDocument.map((scope) => ({ ...scope, notificationIds: NOT_ADA })),
  "/v2/activities/delete": fc.constant({ documentId: undefined, activityIds: ["ada"], targetEntityId: undefined }),
  "/v2/commentannotations/add": newAnnotations,
  "/v2/commentannotations/delete": someAnnotation,
  "/v2/commentannotations/update": fc.constant({
    ...place,
    annotationIds: ["ada"],
    locationIds: undefined,
    userIds: undefined,
    updateUsers: undefined,
    updatedData: { status: { id: "RESOLVED", name: "Resolved", type: "terminal" } },
    actionUser: ADA,
  }),
  "/v2/commentannotations/comments/add": fc.constant({
    ...annotationAda,
    commentData: [{ from: ADA }],
    comments: undefined,
  }),
  "/v2/commentannotations/comments/update": fc.constant({ ...annotationAda, commentIds: [1] }),
  "/v2/commentannotations/comments/delete": fc.nat(60).map((id) => ({ ...annotationAda, commentIds: [id + 2] })),
  "/v2/reactions/add": reaction,
  "/v2/reactions/delete": reaction,
  "/v2/crdt/add": editors(100),
  "/v2/crdt/update": editors(),
  "/v2/crdt/get": versions,
  // Most of them are not among the first two.
  "/v2/crdt/delete": editors(100).map(({ editorId }) => ({ ...place, editorIds: [editorId] })),
  "/v2/crdt/versions/add": versions.map((request) => ({ ...request, versionId: "ada" })),
  "/v2/crdt/versions/list": versions,
  "/v2/crdt/versions/get": versions,
  "/v2/crdt/versions/restore": versions,
  "/v2/crdt/versions/delete": versions.map((request) => ({ ...request, versionIds: ["ada"] })),
  // Other operations rarely use this folder, so deleting it affects few calls.
  "/v2/organizations/folders/delete": fc.constant({ folderId: "drafts" }),
  "/v2/organizations/folders/add": fc.nat().map((number) => ({ folders: [{ folderId: `new ${number}` }] })),
  "/v2/organizations/add": fc.nat().map((number) => ({ organizations: [{ organizationId: `new ${number}` }] })),
  "/v2/workspace/users/get": fc.constantFrom(
    { userId: "ada", email: undefined },
    { userId: undefined, email: ADA_EMAIL },
  ),
  "/v1/auth/token/get": credentials,
  // What is at the location of most records must stay.
  "/v1/organizations/documents/locations/data/delete": credentials.map((request) => {
    return { ...request, ...place, location: { id: "page-9" } };
  }),
  "/v1/organizations/documents/locations/update": credentials.map((request) => ({ ...request, ...place })),
  "/v2/auth/generate_token": permissions,
  "/v2/auth/permissions/add": permissions,
  "/v2/auth/permissions/remove": permissions,
  // If ada or her documents went, most calls would find nothing.
  "/v1/users/data/delete": fc.constantFrom(...NOT_ADA).map((userId) => ({ userIds: [userId] })),
  "/v2/organizations/documents/migrate": fc.nat().map((number) => {
    return { organizationId: "acme", documentId: "constructor", newDocumentId: `moved ${number}` };
  }),
  "/v2/organizations/documents/migrate/status": fc.constant({ organizationId: "acme" }),
  // If the latest endpoint went, other calls would not find it.
  "/v2/workspace/advancedwebhook/endpoints/delete": fc
    .constantFrom("another", "another", "<endpointId>")
    .map((endpointId) => ({ endpointId })),
  "/v2/workspace/domains/add": fc.nat(9).map((number) => ({ domains: [`https://${number}.example.com:8080/path`] })),
  "/v2/workspace/domains/delete": fc.nat(9).map((number) => ({ domains: [`${number}.example.com`] })),
};
