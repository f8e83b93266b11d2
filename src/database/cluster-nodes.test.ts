import { expect, test } from "vitest";
import { type ClusterView, faultOf, runsOnAnyNode } from "./cluster-nodes.ts";

test.each([
  "select record from activities where organization_key = $1",
  "with found as (select 1 from users where organization_key = any($1)) select count(*) from found",
  "select deleted_at, updated_at from organizations join workspaces on id = workspace_id where organization_key = $1",
])("%s runs on any node", (text) => {
  expect(runsOnAnyNode({ text })).toBe(true);
});

const COORDINATOR: ClusterView = {
  ...{ groupId: 0, placements: "version", nodes: "nodes" },
  ...{ isStandby: false, isSynced: true, hasTables: true },
};
const WORKER = { ...COORDINATOR, groupId: 1 };

test("a worker that knows the cluster as the coordinator does can take statements", () => {
  expect(faultOf(COORDINATOR, WORKER)).toBeUndefined();
});

test.each([
  ["a standby", { ...WORKER, isStandby: true }, "it is a standby, which may not have the latest records"],
  ["another coordinator", COORDINATOR, "it does not know the cluster as the coordinator does"],
  ["a worker without the tables", { ...WORKER, hasTables: false }, expect.stringContaining("does not know")],
  ["a worker that is not told of changes", { ...WORKER, isSynced: false }, expect.stringContaining("does not know")],
  ["a worker that knows other nodes", { ...WORKER, nodes: "others" }, expect.stringContaining("does not know")],
  ["a server without Citus", undefined, expect.stringContaining("does not know")],
])("%s takes no statements from the coordinator", (_, view, fault) => {
  expect(faultOf(COORDINATOR, view)).toEqual(fault);
});

test.each([
  ["it names no organization", "select id from workspaces where id = $1"],
  ["it writes", "update users set name = $2 where organization_key = $1"],
  ["a part writes", "with gone as (delete from users where organization_key = $1 returning id) select id from gone"],
  ["it locks", "select id from users where organization_key = $1 for no key update"],
  ["it takes a number", "select nextval('activity_sequence'), id from users where organization_key = $1"],
  ["a function writes", "select organization_key, add_activities(organization_key, $1) from users"],
  ["it notifies", "select pg_notify($2, id) from users where organization_key = $1"],
  ["it takes a lock", "select pg_advisory_xact_lock(1) from users where organization_key = $1"],
  ["it looks for transactions", "select organization_key from users, pg_locks"],
  ["it reads a local table", "select organization_key from users where exists (select 1 from audit_entries)"],
  ["it reads jobs", "select organization_key from users where exists (select 1 from pgboss.job)"],
])("a statement runs on the coordinator because %s", (_, text) => {
  expect(runsOnAnyNode({ text })).toBe(false);
});
