import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestDatabase, silentLog } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { storesIn } from "../../../../test/stores.ts";
import type { Database } from "../../../database/database.ts";
import { createWorkspace } from "../../workspaces/workspaces.ts";
import { PURGED_OR_EXPORTED_KINDS } from "../kinds.ts";
import { createDeleteUserData } from "./job.ts";
import { insertDeletion, type ReceiptEntry, selectReceipt, selectStatus } from "./user-deletion-queries.ts";

const ORGANIZATIONS = 1_000;
const ASKED = { requestedBy: undefined, kinds: [] };
const { database } = await createTestDatabase();
const { workspaceId } = await createWorkspace(database, { name: "many", activityServiceEnabled: true });
await fill();

/** Writes a document and three activities in each organization; one activity in the last mentions the user. */
async function fill(): Promise<void> {
  await runSql(
    database,
    `with organization as (
       insert into organizations (organization_key, workspace_id, organization_id)
       select gen_random_uuid(), $1, 'organization-' || lpad(number::text, 4, '0')
       from generate_series(1, ${ORGANIZATIONS}) as number returning organization_key, organization_id
     ), document as (
       insert into documents (organization_key, document_id) select organization_key, 'contract-7' from organization
     )
     insert into activities (organization_key, id, document_id, user_id, feature_type, action_type, created_at,
       sequence, record, record_bytes)
     select organization_key, number, 'contract-7', 'bob', 'comment', 'comment.add', 1, number, record,
       length(record::text)
     from organization cross join generate_series(1, 3) as number cross join lateral (
       select json_build_object('id', number::text, 'actionUser', json_build_object('userId', 'bob'), 'entityData',
         case when organization_id = 'organization-${ORGANIZATIONS}' then 'of @carol-77' else 'of nobody' end) as record
     ) as built`,
    [workspaceId],
  );
}

/** Runs the job in this process. Returns the number of its statements and the receipt. */
async function runDeletion(userIds: string[]): Promise<{ statements: number; receipt: ReceiptEntry[] }> {
  const id = randomUUID();
  const tasksCount = ORGANIZATIONS * PURGED_OR_EXPORTED_KINDS.length;
  await insertDeletion(database, { id, workspaceId, userIds, organizationIds: undefined, tasksCount, ...ASKED });
  let statements = 0;
  const counted: Database = {
    ...database,
    run(statement) {
      statements++;
      return database.run(statement);
    },
  };
  const job = createDeleteUserData(storesIn(id));
  await job.run({ database: counted, log: silentLog, signal: new AbortController().signal }, { deletionId: id });
  expect(await selectStatus(database, workspaceId, id)).toMatchObject({ isDeleteCompleted: true, tasksLeft: 0 });
  return { statements, receipt: await selectReceipt(database, id, undefined, 100) };
}

test("organizations without data of the users share a few statements", async () => {
  const { statements, receipt } = await runDeletion(["nobody-1"]);
  expect(receipt).toEqual([]);
  expect(statements).toBeLessThan(ORGANIZATIONS / 3);
});

test("thirty unknown users take no more statements than one", async () => {
  const { statements } = await runDeletion(Array.from({ length: 30 }, (_, number) => `nobody-${number}`));
  expect(statements).toBeLessThan(ORGANIZATIONS / 3);
});

test("the only one of a thousand organizations that mentions a user is found", async () => {
  const { receipt } = await runDeletion(["carol-77"]);
  const organizationId = `organization-${ORGANIZATIONS}`;
  expect(receipt).toEqual([{ organizationId, kind: "activities", deleted: 0, stripped: 3 }]);
});
