import type { Api } from "../../src/operations.ts";
import type { TestWorkspace } from "../harness.ts";

type Activity = Api["/v2/activities/add"]["request"]["activities"][number];

/** Adds an activity to the organization `acme`, like the ones of examples/git-history.ts. */
export function addCommit(
  workspace: TestWorkspace,
  subject = "Say how to start it",
  fields: Partial<Activity> = {},
): Promise<unknown> {
  return addCommits(workspace, [subject], fields);
}

/** Adds an activity for each subject. */
export function addCommits(
  workspace: TestWorkspace,
  subjects: string[],
  fields: Partial<Activity> = {},
): Promise<unknown> {
  const user = { userId: "ada", name: "Ada Lovelace" };
  const activities = subjects.map((subject) => ({
    ...{ featureType: "custom" as const, actionType: "commit.add", actionUser: user, targetEntityId: "main" },
    ...{ displayMessageTemplate: "{{user}}: {{subject}}", displayMessageTemplateData: { user, subject } },
    ...fields,
  }));
  return workspace.data("/v2/activities/add", { organizationId: "acme", documentId: "engine", activities });
}
