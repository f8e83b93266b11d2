import Type from "typebox";
import { AccessType } from "../../../contract/access-type.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { findWorkspace } from "../workspace-queries.ts";

/** Reads the owner and settings of the caller's workspace. */
export const getApiKeyConfig = operation({
  path: "/v2/workspace/apikeyconfig/get",
  summary: "Read the configuration of the workspace",
  description:
    "`ownerEmail` is null if the workspace has no owner. The type of the plan is always `self-hosted`: a service of " +
    "your own has no plans, and no limits depend on it. `defaultDocumentAccessType` is the access type of folders " +
    "and documents that neither have their own nor inherit one. `isPrivateCommentsEnabled` is " +
    "`enablePrivateComments` of `/v2/workspace/apikeyconfig/update`, which describes the other settings.",
  message: "Configuration retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: Type.Object(
    {
      ownerEmail: Type.Union([Type.String(), Type.Null()]),
      planInfo: Type.Object({ type: Type.Literal("self-hosted") }),
      defaultDocumentAccessType: AccessType,
      isPrivateCommentsEnabled: Type.Boolean(),
      requireJwtToken: Type.Boolean(),
      requireAutoOrgUser: Type.Boolean(),
      isContextEnabled: Type.Boolean(),
      showUserEmails: Type.Boolean(),
      automaticVersionMinutes: Type.Integer({ examples: [30] }),
      automaticVersionDays: Type.Integer({ examples: [30] }),
    },
    { title: "WorkspaceConfig" },
  ),
  example: {},
  handle,
});

async function handle({ database, workspace }: Context) {
  const found = await findWorkspace(database, { id: workspace.id });
  if (!found) throw new Error("the caller's workspace is gone");
  const { ownerEmail, defaultDocumentAccessType, isContextEnabled, showUserEmails } = found;
  const { isPrivateCommentsEnabled, requireJwtToken, requireAutoOrgUser } = found;
  const switches = { isPrivateCommentsEnabled, requireJwtToken, requireAutoOrgUser, isContextEnabled, showUserEmails };
  const { automaticVersionMinutes, automaticVersionDays } = found;
  const versions = { automaticVersionMinutes, automaticVersionDays };
  const planInfo = { type: "self-hosted" as const };
  return { ownerEmail, planInfo, defaultDocumentAccessType, ...switches, ...versions };
}
