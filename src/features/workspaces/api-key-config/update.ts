import Type from "typebox";
import { AccessType } from "../../../contract/access-type.ts";
import { operation } from "../../../contract/operation.ts";
import { setDefaultAccessType } from "../queries.ts";

const Settings = Type.Object({ defaultDocumentAccessType: AccessType });

/** Changes the access settings. Takes effect at once on this process and within a second on the others. */
export const updateApiKeyConfig = operation({
  path: "/v2/workspace/apikeyconfig/update",
  summary: "Update the configuration of the workspace",
  description:
    "`defaultDocumentAccessType` is the access type of folders and documents that neither have their own nor inherit " +
    "one. It changes for all of them at once. Returns the settings that were sent.",
  message: "Configuration updated.",
  scope: "admin",
  request: Settings,
  response: Settings,
  audit: "api_key_config.update",
  example: { defaultDocumentAccessType: "public" },
  async handle({ workspace, database, audit, workspaceChanged }, { defaultDocumentAccessType }) {
    await database.transaction(async (transaction) => {
      await setDefaultAccessType(transaction, workspace.id, defaultDocumentAccessType);
      await audit(transaction, { defaultDocumentAccessType });
    });
    workspaceChanged();
    return { defaultDocumentAccessType };
  },
});
