import type { Database } from "../database/database.ts";
import { createOperatorLink } from "../features/sign-in/login-link.ts";
import { bootstrapWorkspace } from "../features/workspaces/bootstrap.ts";
import type { StartContext } from "./start-context.ts";

export interface FirstCredentials {
  apiKey: string;
  authToken: string;
  signInUrl: string;
}

/**
 * Creates the first workspace if there is none. Returns its generated credentials at the start that has created it,
 * and undefined at later starts or if the operator has set the credentials.
 */
export async function createFirstWorkspace(
  { config }: StartContext,
  { database, baseUrl }: { database: Database; baseUrl: string },
): Promise<FirstCredentials | undefined> {
  const credentials = await bootstrapWorkspace(database, config);
  if (!credentials?.created || config.bootstrap) return undefined;
  const { apiKey, authToken } = credentials;
  const { url: signInUrl } = await createOperatorLink(database, baseUrl);
  return { apiKey, authToken, signInUrl };
}
