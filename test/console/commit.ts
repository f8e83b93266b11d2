import type { Api } from "../../src/operations.ts";
import type { TestWorkspace } from "../harness.ts";

/** Adds an activity to the organization `acme`, like the ones of examples/git-history.ts. */
export function addCommit(
  workspace: TestWorkspace,
  subject = "Say how to start it",
  fields: Partial<Api["/v2/activities/add"]["request"]["activities"][number]> = {},
) {
  const user = { userId: "ada", name: "Ada Lovelace" };
  const activity = {
    ...{ featureType: "custom" as const, actionType: "commit.add", actionUser: user, targetEntityId: "main" },
    ...{ displayMessageTemplate: "{{user}}: {{subject}}", displayMessageTemplateData: { user, subject } },
    ...fields,
  };
  return workspace.data("/v2/activities/add", {
    organizationId: "acme",
    documentId: "engine",
    activities: [activity],
  });
}
