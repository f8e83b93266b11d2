import { expect, test } from "vitest";
import { UNDISTRIBUTED_TABLES } from "../../src/database/distribution.ts";
import { createTestDatabase } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { brokenRules, MANAGED_TABLES, type RuleName } from "./rules.ts";

/** Statements that Citus rejects, or that ask every shard, by the rule that they break. */
const REJECTED: { [Rule in RuleName]: readonly string[] } = {
  organization: [
    "select record from activities where id = $1",
    "select record from activities where organization_key <> $1",
    "select record from activities where organization_key = $1 or id = $2",
    "update notifications set record = $1 where sequence = any($2)",
    "delete from comments where id = $1",
    "select id from organizations where name = $1",
    "select (select max(created_at) from activities) from documents where organization_key = $1",
  ],
  lock: [
    "select id from activities where organization_key = any($1::uuid[]) order by id for update",
    `select activity.id from unnest($1::uuid[]) as input (organization_key)
      join activities activity using (organization_key) for update of activity`,
  ],
  correlated: [
    `select number from unnest($1::uuid[]) with ordinality as input (organization_key, number)
      where not exists (select 1 from documents where documents.organization_key = input.organization_key)`,
    `select (select count(*) from users where users.organization_key = input.organization_key)
      from (values ($1::uuid)) as input (organization_key)`,
    `with input as (select $1::uuid as organization_key)
      select (select count(*) from users where users.organization_key = input.organization_key) from input`,
  ],
  lateral: [
    `select newest.id from unnest($1::uuid[]) as input (organization_key) cross join lateral (
      select id from activities where activities.organization_key = input.organization_key limit 1) as newest`,
  ],
  columns: [
    `with deleted as (delete from documents where organization_key = any($1) returning document_id)
      select exists (select from deleted)`,
  ],
  ctid: [
    "delete from presence where organization_key = any($1) and ctid = any(array(select $2::tid))",
    `with found as (select ctid as row_id from presence where organization_key = $1)
      delete from presence where organization_key = any($2) and ctid = any(array(select row_id from found))`,
  ],
  conflict: [
    `insert into recordings (organization_key, id, created_at) values ($1, $2, $3)
      on conflict (organization_key, id) do update set created_at = (
        select max(created_at) from recordings where organization_key = $1)`,
    `insert into email_configs (workspace_id, config) values ($1, $2)
      on conflict (workspace_id) do update set config = (select max(config) from email_configs)`,
  ],
  row: [
    `insert into annotation_counters (organization_key, document_id, last_number) select $1, $2, $3
      on conflict (organization_key, document_id) do nothing`,
    `with granted as (
        insert into grants (organization_key, user_id, resource_type, resource_id) select $1, $2, 'organization', ''
        returning user_id)
      select user_id from granted`,
  ],
  values: [
    "insert into auth_tokens (id, workspace_id) values ($1, (select id from workspaces where name = $2))",
    "insert into recordings (organization_key, id, created_at) values ($1, $2, (select $3::bigint))",
    "insert into workspaces (id) values ($1) returning (select 1)",
  ],
  volatile: [
    "update webhook_endpoints set updated_at = clock_timestamp() where id = $1",
    "update webhook_endpoints set disabled = true where last_failed_at < clock_timestamp()",
    "delete from auth_tokens where random() < $1",
    "update workspaces set id = gen_random_uuid() where id = $1",
    "delete from mails where organization_key = $1 and taken_at < clock_timestamp()",
  ],
  immutable: [
    `insert into presence (organization_key, document_id, user_id) values ($1, $2, $3)
      on conflict (organization_key, document_id, user_id) do update set last_active = extract(epoch from now())`,
    "update workspaces set activity_service_enabled_at = coalesce($1, statement_timestamp()) where id = $2",
    `update mails set taken_at = case when taken_at is null then $1 end
      where organization_key = $2 and coalesce(taken_at, now()) > $3`,
    "update webhook_endpoints set failing_since = case when disabled then extract(epoch from now()) end where id = $1",
    "update webhook_endpoints set updated_at = 1 where case when disabled then created_at < current_timestamp end",
    "delete from idempotency_keys where coalesce(created_at, statement_timestamp()) < $1",
    "insert into webhook_configs (workspace_id) values ($1) returning current_timestamp",
    `insert into email_configs (workspace_id) select $1 on conflict (workspace_id)
      do update set updated_at = email_configs.updated_at where email_configs.updated_at < now()`,
    "update organizations set deleted_at = $1 where organization_key = $2 returning extract(epoch from deleted_at)",
  ],
  local: [
    `with purged as (delete from activities where organization_key = $1 returning 1 as one)
      insert into user_data_receipts (deletion_id, deleted) select $2, count(*) from purged`,
    "insert into user_data_deletions (id, tasks_count) select $1, count(*) from organizations where workspace_id = $2",
  ],
};

test("the rules know the local tables whose statements Citus plans", async () => {
  const { database } = await createTestDatabase();
  const connected = await runSql<{ name: string }>(
    database,
    `with recursive connected as (
      select unnest($1::text[])::regclass::oid as id
      union
      select conrelid from pg_constraint join connected on confrelid = connected.id where contype = 'f'
    )
    select relname as name from connected join pg_class on oid = id where relname = any($2)`,
    [UNDISTRIBUTED_TABLES.reference, UNDISTRIBUTED_TABLES.local],
  );
  expect(connected.map(({ name }) => name).sort()).toEqual(MANAGED_TABLES);
});

for (const [rule, statements] of Object.entries(REJECTED)) {
  test(`a statement that breaks the rule "${rule}" is found`, async () => {
    for (const statement of statements) expect(await brokenRules(statement), statement).toEqual([rule]);
  });
}

/** Statements that resemble the others, and that Citus runs. */
const ACCEPTED = [
  "select record from activities where organization_key = $1::uuid and id = $2",
  "select id from activities where organization_key = $1 order by id for update skip locked",
  "select id from activities where organization_key = any($1::uuid[])",
  "select id from organizations where workspace_id = $1 and deleted_at is null",
  "select token_hash from auth_tokens where id = $1 for update",
  "update workspaces set activity_service_enabled_at = statement_timestamp() where id = $1",
  `select number from unnest($1::text[]) with ordinality as input (document_id, number)
    where not exists (select from documents where organization_key = $2 and documents.document_id = input.document_id)`,
  `select newest.id from organizations cross join lateral (
    select id from activities where activities.organization_key = organizations.organization_key limit 1) as newest
    where organizations.workspace_id = $1`,
  `with to_purge as (select ctid as row_id from presence where organization_key = $1 for update skip locked)
    delete from presence where ctid = any(array(select row_id from to_purge)) and (organization_key = $2 or $3)`,
  `update organizations set record = merged.record::json from unnest($1::uuid[], $2::text[])
    as merged (organization_key, record) where organizations.organization_key = merged.organization_key`,
  `insert into recordings (organization_key, id, created_at) select $1, id, extract(epoch from now())
    from unnest($2::text[]) as id on conflict (organization_key, id) do update set created_at = excluded.created_at`,
  `insert into recordings (organization_key, id, created_at) values ($1, $2, (extract(epoch from now()))) returning id`,
  `insert into organizations (organization_key, workspace_id) select $1, $2
    where not exists (select 1 from organizations where organization_key = $1)`,
  "update webhook_endpoints set updated_at = greatest(updated_at, now()) where last_failed_at < now() returning id",
  `update webhook_endpoints set failing_since = case when disabled then since else failing_since end
    from (select clock_timestamp() as since) as now where id = $1`,
  "insert into auth_tokens (id, created_at) values (gen_random_uuid(), coalesce($1, clock_timestamp()))",
  `insert into email_configs (workspace_id, config) select $1, $2
    on conflict (workspace_id) do update set config = (select max(config) from email_configs)`,
  "update login_attempts set last_at = case when last_at < $1 then clock_timestamp() else last_at end where id = $2",
  `select count(*) from users where organization_key in (
    select organization_key from organizations where workspace_id = $1)`,
];

test("a statement that Citus runs breaks no rule", async () => {
  for (const statement of ACCEPTED) expect(await brokenRules(statement), statement).toEqual([]);
});
