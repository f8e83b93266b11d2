import pg from "pg";
import { describe, expect, inject, test } from "vitest";
import { type DatabaseProxy, startDatabaseProxy } from "../database-proxy.ts";
import { eventually } from "../eventually.ts";
import { addActivities } from "../factories.ts";
import { startOwnTestService } from "../harness.ts";
import { addActionType, ORGANIZATIONS, readActionTypes, shardsOf, statusOf } from "../node-organizations.ts";
import { runSql } from "../run-sql.ts";
import { databaseNameOf, databaseUrl } from "../servers.ts";

const [, ...workerUrls] = inject("serverUrls");

/** Part of the statement by which a worker adds activities. */
const WRITING = "add_activities(organization_key";

describe.runIf(workerUrls.length > 0)("nodes that DATABASE_URL names", () => {
  test("reads are served by the nodes of DATABASE_URL, and by others while one of them is away", async () => {
    const { workspace, proxies } = await startBehindProxies();
    const [organizationId = ""] = ORGANIZATIONS;
    await addActionType(workspace, organizationId, "one");
    const readUntil = (isEnough: (counts: number[]) => boolean) =>
      eventually(async () => {
        expect(await readActionTypes(workspace, organizationId)).toEqual(["one"]);
        expect(proxies.map(({ countSent }) => countSent("from activities"))).toSatisfy(isEnough);
      });
    await readUntil((counts) => counts.every((count) => count > 0));
    const [first] = proxies;
    first?.cut();
    const before = first?.countSent("from activities") ?? 0;
    for (let reads = 0; reads < 10; reads++) {
      expect(await statusOf(workspace, "/v2/activities/get", { organizationId })).toBe("success");
    }
    expect(first?.countSent("from activities")).toBe(before);
    first?.restore();
    await readUntil(([count = 0]) => count > before);
  });

  test("reads wait until a locked table is free", async () => {
    const { service, workspace, proxies } = await startBehindProxies();
    const [organizationId = ""] = ORGANIZATIONS;
    await addActionType(workspace, organizationId, "one");
    const read = () => statusOf(workspace, "/v2/activities/get", { organizationId });
    await eventually(async () => {
      await read();
      expect(proxies.map(({ countSent }) => countSent("from activities"))).toSatisfy((counts) => counts.every(Boolean));
    });
    const { reading } = await service.database.transaction(async (transaction) => {
      await runSql(transaction, "lock table activities in access exclusive mode");
      const reads = [read(), read()];
      await eventually(async () => {
        const waiting = "select from pg_locks where relation = 'activities'::regclass and not granted";
        // Nodes give up, and then the coordinator waits.
        expect(await runSql(transaction, waiting)).toHaveLength(reads.length);
      });
      return { reading: Promise.all(reads) };
    });
    expect(await reading).toEqual(["success", "success"]);
  });

  test("the node of an organization adds its records, and the coordinator while the node is away", async () => {
    const { workspace, proxies } = await startBehindProxies();
    const counts = () => proxies.map(({ countSent }) => countSent(WRITING));
    const acknowledged = ORGANIZATIONS.map(() => [] as string[]);
    let number = 0;
    async function addToAll(): Promise<Set<string>> {
      const name = String(number++);
      const adding = ORGANIZATIONS.map(async (organizationId, index) => {
        const status = await addActionType(workspace, organizationId, name);
        if (status === "success") acknowledged[index]?.push(name);
        return status;
      });
      return new Set(await Promise.all(adding));
    }
    await eventually(async () => {
      expect(await addToAll()).toEqual(new Set(["success"]));
      expect(counts()).toSatisfy((all: number[]) => all.every((count) => count > 0));
    });
    const [first = ""] = ORGANIZATIONS;
    // A document that exists is written there, and a new one by the coordinator.
    const documents = ["contract-7", "new", "contract-7"];
    const calls = documents.map((documentId, index) =>
      addActivities(workspace, [{ actionType: `last ${index}` }], { organizationId: first, documentId }),
    );
    await Promise.all(calls);
    for (const { cut } of proxies) cut();
    await eventually(async () => expect(await addToAll()).toEqual(new Set(["success"])));
    for (const [index, organizationId] of ORGANIZATIONS.entries()) {
      expect(await readActionTypes(workspace, organizationId)).toEqual(
        expect.arrayContaining(acknowledged[index] ?? []),
      );
    }
    expect(await readActionTypes(workspace, first)).toEqual(expect.arrayContaining(["last 0", "last 1", "last 2"]));
  });

  test("organizations do not wait for another one of their node whose shard is locked", async () => {
    const { service, workspace, proxies } = await startBehindProxies();
    const addToAll = (organizationIds: string[]) =>
      Promise.all(organizationIds.map((organizationId) => addActionType(workspace, organizationId, "one")));
    await eventually(async () => {
      await addToAll(ORGANIZATIONS);
      expect(proxies.map(({ countSent }) => countSent(WRITING))).toSatisfy((counts) => counts.every(Boolean));
    });
    const shards = await shardsOf(service, workspace);
    const [locked = ""] = ORGANIZATIONS;
    const shard = shards.get(locked);
    const others = ORGANIZATIONS.filter((organizationId) => shards.get(organizationId)?.id !== shard?.id);
    const url = workerUrls.find((workerUrl) => new URL(workerUrl).port === String(shard?.port)) ?? "";
    const client = new pg.Client(databaseUrl(url, databaseNameOf(service.config.databaseUrl)));
    await client.connect();
    try {
      await client.query(
        `begin; set local citus.enable_manual_changes_to_shards to on; lock table activities_${shard?.activitiesId}`,
      );
      const waiting = addActionType(workspace, locked, "two");
      const startedAt = performance.now();
      expect(new Set(await addToAll(others))).toEqual(new Set(["success"]));
      // PostgreSQL ends statements after 30 s.
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      await client.query("rollback");
      expect(await waiting).toBe("success");
    } finally {
      await client.end();
    }
    expect(await readActionTypes(workspace, locked)).toEqual(expect.arrayContaining(["one", "two"]));
  });

  /** Starts a service that reaches the workers through proxies. */
  async function startBehindProxies() {
    const proxies: DatabaseProxy[] = [];
    const service = await startOwnTestService(async ({ databaseNodeUrls }) => {
      for (const url of databaseNodeUrls) proxies.push(await startDatabaseProxy(url));
      return { databaseNodeUrls: proxies.map(({ url }) => url) };
    });
    return { service, workspace: await service.workspace(), proxies };
  }
});
