import Type, { type Static } from "typebox";
import { AccessType } from "../../../contract/access-type.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { updateAccessSettings } from "./api-key-config-queries.ts";
import { getApiKeyConfig } from "./get.ts";

const Settings = Type.Object({
  defaultDocumentAccessType: Type.Optional(AccessType),
  enablePrivateComments: Type.Optional(
    Type.Boolean({ description: "For your client. The service stores it, and hides private comments in any case." }),
  ),
  requireJwtToken: Type.Optional(
    Type.Boolean({
      description: "Whether pages must call with user tokens: auth tokens then work without `Origin` only.",
    }),
  ),
  requireAutoOrgUser: Type.Optional(
    Type.Boolean({
      description: "Whether the first user token with a permission on an organization makes the user its editor.",
    }),
  ),
  isContextEnabled: Type.Optional(
    Type.Boolean({ description: "Whether users see only the records of whose `context.access` they hold every pair." }),
  ),
  showUserEmails: Type.Optional(
    Type.Boolean({
      description: "Whether requests with user tokens return the email addresses of users, such as authors.",
    }),
  ),
  automaticVersionMinutes: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: 1_440 },
      description: "Minutes of editing after which a collaborative document gets an automatic version; 0 for none.",
    }),
  ),
  automaticVersionDays: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 3_650 },
      description: "Days for which the last automatic version of each day is kept.",
    }),
  ),
});

const Request = Type.Refine(
  Settings,
  (settings) => Object.keys(settings).length > 0,
  () => `must have one of ${Object.keys(Settings.properties).join(", ")}`,
);

/** Changes settings of the workspace. Takes effect at once on this process and within a second on the others. */
export const updateApiKeyConfig = operation({
  path: "/v2/workspace/apikeyconfig/update",
  summary: "Update the configuration of the workspace",
  description:
    "`defaultDocumentAccessType` is the access type of folders and documents that neither have their own nor inherit " +
    "one. It changes for all of them at once. At least one setting is required. Returns the settings that were sent.",
  message: "Configuration updated.",
  scope: "admin",
  returned: { by: getApiKeyConfig, request: () => ({}) },
  request: Request,
  response: Settings,
  audit: "api_key_config.update",
  example: { defaultDocumentAccessType: "organizationPrivate" },
  handle,
});

async function handle({ database, workspace, audit, workspaceChanged }: Context, settings: Static<typeof Request>) {
  await database.transaction(async (transaction) => {
    await updateAccessSettings(transaction, workspace.id, settings);
    await audit(transaction, settings);
  });
  workspaceChanged();
  return settings;
}
