import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestDatabase, silentLog } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { storesIn } from "../../../../test/stores.ts";
import { type JobContext, type JobQueue, RetryLater } from "../../../jobs/jobs.ts";
import { inOrganization, storedOrganization } from "../../tenancy/organization-scope.ts";
import { createDeleteUserData } from "../../user-data/deletion/job.ts";
import { finishDeletion, insertDeletion, selectStatus } from "../../user-data/deletion/user-deletion-queries.ts";
import { createWorkspace } from "../../workspaces/workspaces.ts";
import { beginMigration } from "./begin.ts";
import { selectMigration } from "./document-migration-queries.ts";
import { createMigrateDocument } from "./job.ts";

const { database } = await createTestDatabase();
const context: JobContext = { database, log: silentLog, signal: new AbortController().signal };
/** A queue whose jobs the tests run. */
const jobs: JobQueue = { send: async () => [], depth: async () => [] };

/** Makes a workspace whose organization "acme" has a document. Returns what the tests do with it. */
async function setUp() {
  const { workspaceId } = await createWorkspace(database, { name: "acme", activityServiceEnabled: true });
  const organization = await inOrganization(database, { id: workspaceId }, "acme", async (scope) => {
    const { key } = scope;
    await runSql(scope, "insert into organizations values ($1, $2, 'acme')", [key, workspaceId]);
    await runSql(scope, "insert into documents (organization_key, document_id) values ($1, 'old')", [key]);
    return storedOrganization(database, key);
  });

  async function accept(): Promise<string> {
    const id = randomUUID();
    const named = { userIds: ["ada"], organizationIds: undefined, kinds: [], requestedBy: undefined };
    await insertDeletion(database, { id, workspaceId, tasksCount: 1, ...named });
    return id;
  }

  async function begin(): Promise<string> {
    const begun = await inOrganization(database, { id: workspaceId }, "acme", (scope) =>
      beginMigration(scope, jobs, { documentId: "old", newDocumentId: "new" }),
    );
    return Object(begun).migrationId;
  }

  async function runMigration(migrationId: string) {
    await createMigrateDocument(jobs).run(context, { organizationKey: organization.key, migrationId });
    return selectMigration(organization, migrationId);
  }

  async function runDeletion(deletionId: string) {
    await createDeleteUserData(storesIn(deletionId)).run(context, { deletionId });
    return selectStatus(database, workspaceId, deletionId);
  }
  return { accept, begin, runMigration, runDeletion };
}

test("a migration does not wait for deletions of users' data that are accepted later", async () => {
  const { accept, begin, runMigration } = await setUp();
  const migrationId = await begin();
  await accept();
  expect(await runMigration(migrationId)).toMatchObject({ status: "completed" });
});

test("a migration waits for a deletion of users' data that was accepted before", async () => {
  const { accept, begin, runMigration } = await setUp();
  const deletionId = await accept();
  const migrationId = await begin();
  await expect(runMigration(migrationId)).rejects.toThrow(RetryLater);
  await finishDeletion(database, deletionId);
  expect(await runMigration(migrationId)).toMatchObject({ status: "completed" });
});

test("a deletion of users' data waits for the migrations that began before, and for no others", async () => {
  const { accept, begin, runMigration, runDeletion } = await setUp();
  const earlier = await begin();
  const deletionId = await accept();
  await expect(runDeletion(deletionId)).rejects.toThrow(RetryLater);
  await runMigration(earlier);
  expect(await runDeletion(deletionId)).toMatchObject({ isDeleteCompleted: true });

  const { accept: acceptFirst, begin: beginThen, runDeletion: runFirst } = await setUp();
  const first = await acceptFirst();
  await beginThen();
  expect(await runFirst(first)).toMatchObject({ isDeleteCompleted: true });
});
