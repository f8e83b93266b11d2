import { describe, expect, inject, onTestFinished, test } from "vitest";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import { joinNode, prepareNode } from "../citus.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../database-proxy.ts";
import { eventually } from "../eventually.ts";
import { activity, readActivityIds } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { databaseUrl } from "../servers.ts";

const [, ...workerUrls] = inject("serverUrls");

/** Enough organizations for each node to have some: one in 32,768 runs would have a node without any. */
const ORGANIZATIONS = Array.from({ length: 16 }, (_, index) => `organization-${index}`);

describe.runIf(workerUrls.length > 0)("on Citus", () => {
  test("requests for the organizations of a worker node are UNAVAILABLE only while it is away", async () => {
    const service = await startOwnTestService(() => ({ databaseNodeUrls: [] }));
    const [url = ""] = workerUrls;
    const proxy = await startDatabaseProxy(databaseUrl(url, nameOf(service.config.databaseUrl)));
    const port = Number(new URL(proxy.url).port);
    const update = "select citus_update_node(nodeid, '127.0.0.1', $1) from pg_dist_node where nodeport = $2";
    await runSql(service.database, update, [port, Number(new URL(url).port)]);
    const workspace = await service.workspace();
    for (const organizationId of ORGANIZATIONS) await add(workspace, organizationId, "before");
    const away = new Set<string>();
    for (const organizationId of ORGANIZATIONS) {
      const [shard] = await runSql<{ port: number }>(
        service.database,
        `select nodeport as port from pg_dist_shard_placement
         where shardid = get_shard_id_for_distribution_column('organizations', $1::uuid)`,
        [organizationKey(workspace.id, organizationId)],
      );
      if (shard?.port === port) away.add(organizationId);
    }
    expect(away.size).toBeGreaterThan(0);
    expect(away.size).toBeLessThan(ORGANIZATIONS.length);

    proxy.cut();
    for (const organizationId of ORGANIZATIONS) {
      const expected = away.has(organizationId) ? "UNAVAILABLE" : "success";
      expect(await add(workspace, organizationId, "meanwhile"), organizationId).toBe(expected);
      expect(await statusOf(workspace, "/v2/activities/get", { organizationId }), organizationId).toBe(expected);
    }

    proxy.restore();
    for (const organizationId of ORGANIZATIONS) {
      await eventually(async () => expect(await add(workspace, organizationId, "after")).toBe("success"));
      const expected = away.has(organizationId) ? ["after", "before"] : ["after", "before", "meanwhile"];
      expect((await readActivityIds(workspace, { organizationId })).sort()).toEqual(expected);
    }
  });

  test("reads are served by the nodes of DATABASE_URL, and by others while one of them is away", async () => {
    const proxies: DatabaseProxy[] = [];
    const service = await startOwnTestService(async ({ databaseNodeUrls }) => {
      for (const url of databaseNodeUrls) proxies.push(await startDatabaseProxy(url));
      return { databaseNodeUrls: proxies.map(({ url }) => url) };
    });
    const workspace = await service.workspace();
    const [organizationId = ""] = ORGANIZATIONS;
    await add(workspace, organizationId, "one");
    const readUntil = (isEnough: (counts: number[]) => boolean) =>
      eventually(async () => {
        expect(await readActivityIds(workspace, { organizationId })).toEqual(["one"]);
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

  test("a worker node that is killed under load takes down its organizations only, until it is back", async () => {
    const [coordinatorUrl = ""] = inject("serverUrls");
    const node = await prepareNode(coordinatorUrl);
    const service = await startOwnTestService(({ databaseUrl: url = "", databaseNodeUrls }) => ({
      databaseNodeUrls: [...databaseNodeUrls, databaseUrl(node.url, nameOf(url))],
    }));
    const workspace = await service.workspace();
    const shards = new Map<string, number>();
    for (const organizationId of ORGANIZATIONS) {
      const key = organizationKey(workspace.id, organizationId);
      const select = "select get_shard_id_for_distribution_column('organizations', $1::uuid) as id";
      for (const { id } of await runSql<{ id: number }>(service.database, select, [key]))
        shards.set(organizationId, id);
    }
    const shardId = shards.get("organization-0") ?? 0;
    await node.start();
    const templates = [inject("bareTemplateDatabase"), inject("templateDatabase")];
    await joinNode(coordinatorUrl, node, { name: nameOf(service.config.databaseUrl), templates, shardId });

    const outcomes = new Map(ORGANIZATIONS.map((organizationId) => [organizationId, [] as string[]]));
    let isRunning = true;
    onTestFinished(() => {
      isRunning = false;
    });
    const adding = ORGANIZATIONS.map(async (organizationId) => {
      const own = outcomes.get(organizationId) ?? [];
      while (isRunning) own.push(await add(workspace, organizationId, String(own.length)));
    });
    const away = ORGANIZATIONS.filter((organizationId) => shards.get(organizationId) === shardId);
    const others = ORGANIZATIONS.filter((organizationId) => shards.get(organizationId) !== shardId);
    expect(others).not.toEqual([]);
    const everyAnswer = (status: string, organizationIds: string[]) =>
      eventually(() => {
        for (const organizationId of organizationIds) expect(outcomes.get(organizationId)?.at(-1)).toBe(status);
      });
    await everyAnswer("success", ORGANIZATIONS);
    await node.kill();
    await everyAnswer("UNAVAILABLE", away);
    await everyAnswer("success", others);
    await eventually(() => node.start());
    await everyAnswer("success", away);
    isRunning = false;
    await Promise.all(adding);
    for (const [organizationId, statuses] of outcomes) {
      const written = new Set(await readActivityIds(workspace, { organizationId }));
      expect(statuses.filter((status, id) => status === "success" && !written.has(String(id)))).toEqual([]);
      expect([...new Set(statuses)].sort()).toEqual(
        away.includes(organizationId) ? ["UNAVAILABLE", "success"] : ["success"],
      );
    }
  });

  test("moving all shards of a node while records are added loses nothing", async () => {
    const service = await startOwnTestService();
    const workspace = await service.workspace();
    const acknowledged = new Map(ORGANIZATIONS.map((organizationId) => [organizationId, new Set<string>()]));
    let isMoving = true;
    const adding = ORGANIZATIONS.map(async (organizationId) => {
      for (let number = 0; isMoving || number === 0; number++) {
        if ((await add(workspace, organizationId, String(number))) === "success") {
          acknowledged.get(organizationId)?.add(String(number));
        }
      }
    });
    onTestFinished(() => {
      isMoving = false;
    });
    const drained = "from pg_dist_node where groupid = 1";
    await runSql(
      service.database,
      `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) ${drained}`,
    );
    const start = "select citus_rebalance_start(drain_only := true, shard_transfer_mode := 'block_writes')";
    await runSql(service.database, start);
    await eventually(async () => {
      const left = await runSql(
        service.database,
        `select from pg_dist_placement join pg_dist_shard using (shardid)
         where groupid = 1 and logicalrelid = 'activities'::regclass`,
      );
      expect(left).toEqual([]);
    });
    isMoving = false;
    await Promise.all(adding);
    for (const [organizationId, ids] of acknowledged) {
      expect(ids.size).toBeGreaterThan(0);
      expect(new Set(await readActivityIds(workspace, { organizationId }))).toEqual(ids);
    }
  });

  function nameOf(connectionString = ""): string {
    return new URL(connectionString).pathname.slice(1);
  }

  function add(workspace: TestWorkspace, organizationId: string, id: string): Promise<string> {
    const activities = [{ ...activity(), id }];
    return statusOf(workspace, "/v2/activities/add", { organizationId, documentId: "contract-7", activities });
  }

  /** Returns `success`, or the status of the error. */
  async function statusOf(workspace: TestWorkspace, path: string, data: unknown): Promise<string> {
    const { body } = await workspace.call(path, data);
    const { result, error } = Object(body);
    return error ? error.status : result.status;
  }
});
