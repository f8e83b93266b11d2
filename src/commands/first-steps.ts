import type { Config } from "../config/config.ts";
import { credentialsPath } from "../features/workspaces/credentials-file.ts";
import type { Service } from "../service/service.ts";

/** Returns what the first start prints: credentials, a login link, and commands that work when pasted. */
export function firstSteps(
  config: Config,
  base: string,
  { apiKey, authToken, signInUrl }: NonNullable<Service["firstCredentials"]>,
): string {
  const headerPrefix = config.authHeaderPrefixes[0];
  const curl = (path: string, data: object) =>
    [
      `curl -sS ${base}${path} \\`,
      `  -H 'content-type: application/json' \\`,
      `  -H 'x-${headerPrefix}-api-key: ${apiKey}' \\`,
      `  -H 'x-${headerPrefix}-auth-token: ${authToken}' \\`,
      `  -d '${JSON.stringify({ data })}'`,
    ].join("\n");
  const activity = {
    featureType: "custom",
    actionType: "task.create",
    actionUser: { userId: "ada", name: "Ada" },
    targetEntityId: "task-1",
    displayMessageTemplate: "{{user}} created a task",
    displayMessageTemplateData: { user: { userId: "ada", name: "Ada" } },
  };
  return `
Colloquy runs at ${base}

This first start created the workspace "default":

  API key     ${apiKey}
  Auth token  ${authToken}

They are saved in ${credentialsPath(config.dataDir)}, which only you can read, and are not printed again.

Add an activity:

${curl("/v2/activities/add", { organizationId: "acme", documentId: "plan", activities: [activity] })}

Read it back:

${curl("/v2/activities/get", { organizationId: "acme", documentId: "plan" })}

Open the console. This link signs you in once, within 15 minutes; \`colloquy console\` prints another:

${signInUrl}
`;
}
