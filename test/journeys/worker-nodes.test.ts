import { describe, expect, inject, onTestFinished, test } from "vitest";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import { joinNode, prepareNode } from "../citus.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../database-proxy.ts";
import { eventually } from "../eventually.ts";
import { activity, readActivities, readActivityIds } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { databaseUrl, runQuery } from "../servers.ts";

const [, ...workerUrls] = inject("serverUrls");

/** Enough organizations for each node to have some: one in 32,768 runs would have a node without any. */
const ORGANIZATIONS = Array.from({ length: 16 }, (_, index) => `organization-${index}`);

interface Answer {
  /** `success`, or the status of the error. */
  status: string;
  message?: string;
}

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

  test("moving all shards of a node while records are added and read loses nothing", async () => {
    const service = await startOwnTestService();
    const workspace = await service.workspace();
    const acknowledged = new Map(ORGANIZATIONS.map((organizationId) => [organizationId, new Map<string, string>()]));
    const answers: Answer[] = [];
    let isMoving = true;
    onTestFinished(() => {
      isMoving = false;
    });
    const requests = [...acknowledged].map(async ([organizationId, contents]) => {
      for (let number = 0; isMoving || number === 0; number++) {
        const added = { id: String(number), actionType: `${organizationId} ${number}` };
        const answer = await addActivity(workspace, organizationId, added);
        if (answer.status === "success") contents.set(added.id, added.actionType);
        answers.push(answer, await call(workspace, "/v2/activities/get", { organizationId, pageSize: 1 }));
      }
    });
    // On connections of their own: the service ends statements that take as long as a move.
    const runOnCoordinator = (statement: string) => runQuery(service.config.databaseUrl ?? "", statement);
    await runOnCoordinator(
      `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false)
       from pg_dist_node where groupid = 1`,
    );
    await runOnCoordinator("select citus_rebalance_start(drain_only := true, shard_transfer_mode := 'block_writes')");
    await runOnCoordinator("select citus_rebalance_wait()");
    isMoving = false;
    await Promise.all(requests);

    const { rows: moves } = await runOnCoordinator("select state from citus_rebalance_status()");
    expect(moves).toEqual([{ state: "finished" }]);
    const { rows: left } = await runOnCoordinator(
      `select logicalrelid::text, shardid from pg_dist_placement
       join pg_dist_shard using (shardid) join pg_dist_partition using (logicalrelid)
       where groupid = 1 and partmethod = 'h'`,
    );
    expect(left).toEqual([]);
    expect(answers.filter(({ status }) => status !== "success" && status !== "UNAVAILABLE")).toEqual([]);
    for (const [organizationId, contents] of acknowledged) {
      expect(contents.size).toBeGreaterThan(0);
      const records = await readActivities(workspace, { organizationId });
      const readable = new Map(records.map(({ id, actionType }) => [id, actionType]));
      // A request that has failed may still have added its record.
      expect([...contents].filter(([id, actionType]) => readable.get(id) !== actionType)).toEqual([]);
    }
  });

  function nameOf(connectionString = ""): string {
    return new URL(connectionString).pathname.slice(1);
  }

  async function add(workspace: TestWorkspace, organizationId: string, id: string): Promise<string> {
    return (await addActivity(workspace, organizationId, { id })).status;
  }

  function addActivity(workspace: TestWorkspace, organizationId: string, fields: Parameters<typeof activity>[0]) {
    const activities = [activity(fields)];
    return call(workspace, "/v2/activities/add", { organizationId, documentId: "contract-7", activities });
  }

  async function statusOf(workspace: TestWorkspace, path: string, data: unknown): Promise<string> {
    return (await call(workspace, path, data)).status;
  }

  async function call(workspace: TestWorkspace, path: string, data: unknown): Promise<Answer> {
    const { body } = await workspace.call(path, data);
    const { result, error } = Object(body);
    return error ? { status: error.status, message: error.message } : { status: result.status };
  }
});
