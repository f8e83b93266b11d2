import { SCOPE } from "./factories.ts";
import { type TestService, TestWorkspace } from "./harness.ts";
import { grant } from "./permissions.ts";
import { ownedWorkspace, signIn } from "./sessions.ts";

let owners = 0;

/** Returns an address of an owner that no other test uses. */
export function newOwner(): string {
  return `owner-${++owners}@audit.example`;
}

/** Creates a workspace with an owner who has signed in, and a document in a folder, a token and a domain to delete. */
export async function administered(service: TestService) {
  const email = newOwner();
  const workspace = await ownedWorkspace(service, email);
  const { id: tokenId } = await workspace.data("/v2/workspace/authtokens/add", { name: "old" });
  const { authToken } = await workspace.data("/v2/workspace/authtokens/add", { name: "reader" });
  const reader = new TestWorkspace(service.address, { workspaceId: workspace.id, apiKey: workspace.apiKey, authToken });
  await workspace.data("/v2/workspace/domains/add", { domains: ["old.example"] });
  await workspace.data("/v2/workspace/apikeyconfig/update", { requireAutoOrgUser: true });
  await workspace.data("/v2/organizations/documents/add", {
    organizationId: SCOPE.organizationId,
    documents: [{ documentId: SCOPE.documentId }],
    folderId: "folder",
  });
  const folders = [{ folderId: "inner" }];
  await workspace.data("/v2/organizations/folders/add", { organizationId: SCOPE.organizationId, folders });
  await workspace.data("/v2/users/add", {
    organizationId: SCOPE.organizationId,
    users: [{ userId: "ada", accessRole: "editor" }],
  });
  await grant(workspace, "ada", `document ${SCOPE.documentId}`, "viewer");
  const session = await signIn(service, email);
  return { workspace, tokenId, reader, session, email };
}
