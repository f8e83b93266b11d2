import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import type { TestWorkspace } from "./harness.ts";

const PATH = "/v2/organizations/documents/migrate";

/** Starts the migration of a document of the organization "acme". Returns its id. */
export async function startMigration(workspace: TestWorkspace, documentId: string, newDocumentId: string) {
  const { migrationId } = await workspace.data(PATH, { organizationId: "acme", documentId, newDocumentId });
  return migrationId;
}

export function readMigration(workspace: TestWorkspace, migrationId: string) {
  return workspace.data(`${PATH}/status`, { organizationId: "acme", migrationId });
}

/** Resolves when the migration has ended with this status. */
export function untilMigrated(workspace: TestWorkspace, migrationId: string, status = "completed") {
  return eventually(async () => expect(await readMigration(workspace, migrationId)).toMatchObject({ status }));
}

export async function migrate(workspace: TestWorkspace, documentId: string, newDocumentId: string): Promise<void> {
  await untilMigrated(workspace, await startMigration(workspace, documentId, newDocumentId));
}
