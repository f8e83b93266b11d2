import { expect, test } from "vitest";
import { runsOnAnyNode } from "./cluster-nodes.ts";

test.each([
  "select record from activities where organization_key = $1",
  "with found as (select 1 from users where organization_key = any($1)) select count(*) from found",
  "select deleted_at, updated_at from organizations join workspaces on id = workspace_id where organization_key = $1",
])("%s runs on any node", (text) => {
  expect(runsOnAnyNode({ text })).toBe(true);
});

test.each([
  ["it names no organization", "select id from workspaces where id = $1"],
  ["it writes", "update users set name = $2 where organization_key = $1"],
  ["a part writes", "with gone as (delete from users where organization_key = $1 returning id) select id from gone"],
  ["it locks", "select id from users where organization_key = $1 for no key update"],
  ["it takes a number", "select nextval('activity_sequence'), id from users where organization_key = $1"],
  ["it notifies", "select pg_notify($2, id) from users where organization_key = $1"],
  ["it takes a lock", "select pg_advisory_xact_lock(1) from users where organization_key = $1"],
  ["it looks for transactions", "select organization_key from users, pg_locks"],
  ["it reads a local table", "select organization_key from users where exists (select 1 from audit_entries)"],
  ["it reads jobs", "select organization_key from users where exists (select 1 from pgboss.job)"],
])("a statement runs on the coordinator because %s", (_, text) => {
  expect(runsOnAnyNode({ text })).toBe(false);
});
