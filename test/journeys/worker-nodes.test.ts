import { describe, expect, inject, onTestFinished, test } from "vitest";
import { selectRunningTransactions } from "../../src/features/purge/purge-queries.ts";
import { notifyChange } from "../../src/features/workspaces/workspace-queries.ts";
import { joinNode, prepareNode } from "../citus.ts";
import { emptyFolder, runCommand } from "../command-line.ts";
import { startDatabaseProxy } from "../database-proxy.ts";
import { eventually } from "../eventually.ts";
import { startOwnTestService, type TestService } from "../harness.ts";
import {
  type ApiResponse,
  addActionType,
  addActivity,
  getResponse,
  getShards,
  getStatus,
  ORGANIZATIONS,
  readActionTypes,
} from "../node-organizations.ts";
import { runSql } from "../run-sql.ts";
import { databaseUrl, getDatabaseName, runQuery } from "../servers.ts";
import { getEditor, tokenFor } from "../user-tokens.ts";

const [, ...workerUrls] = inject("serverUrls");

/** Returns what `doctor` finds out about worker nodes. */
async function checkNodes({ config }: TestService) {
  const environment = {
    SECRET_KEY: "5".repeat(64),
    DATABASE_URL: config.databaseUrl ?? "",
    DATA_DIR: await emptyFolder(),
  };
  const { stdout } = await runCommand(["doctor", "--json"], environment);
  const { checks }: { checks: { name: string }[] } = JSON.parse(stdout);
  return checks.find(({ name }) => name === "worker nodes");
}

describe.runIf(workerUrls.length > 0)("on Citus", () => {
  test("requests for the organizations of a worker node are UNAVAILABLE only while it is away", async () => {
    const retentionMs = 120_000;
    const service = await startOwnTestService(({ bootstrap }) => ({
      eventRetentionMs: retentionMs,
      ...(bootstrap && { bootstrap: { ...bootstrap, ownerEmail: "owner@example.com" } }),
    }));
    const [url = ""] = workerUrls;
    const proxy = await startDatabaseProxy(databaseUrl(url, getDatabaseName(service.config.databaseUrl)));
    const port = Number(new URL(proxy.url).port);
    const update = "select citus_update_node(nodeid, '127.0.0.1', $1) from pg_dist_node where nodeport = $2";
    await runSql(service.database, update, [port, Number(new URL(url).port)]);
    const workspace = await service.workspace();
    for (const organizationId of ORGANIZATIONS) await addActionType(workspace, organizationId, "before");
    const shards = await getShards(service, workspace);
    const away = new Set(ORGANIZATIONS.filter((organizationId) => shards.get(organizationId)?.port === port));
    expect(away.size).toBeGreaterThan(0);
    const [other = ""] = ORGANIZATIONS.filter((organizationId) => !away.has(organizationId));
    const listen = () => getStatus(workspace, "/v2/events/get", { organizationId: other });
    expect(await listen()).toBe("success");
    // The log is written for a while, and due to be extended.
    const logEnd = Date.now() + retentionMs / 2;
    await service.database.transaction(async (transaction) => {
      await runSql(transaction, "update workspaces set events_until = $1 where id = $2", [logEnd, workspace.id]);
      await notifyChange(transaction);
    });

    proxy.cut();
    for (const organizationId of ORGANIZATIONS) {
      const expected = away.has(organizationId) ? "UNAVAILABLE" : "success";
      expect(await addActionType(workspace, organizationId, "meanwhile"), organizationId).toBe(expected);
      expect(await getStatus(workspace, "/v2/activities/get", { organizationId }), organizationId).toBe(expected);
    }
    expect(await listen()).toBe("success");
    expect(await tokenFor(workspace, "ada", { resources: [getEditor(other)] })).toEqual(expect.any(String));
    expect(await checkNodes(service)).toMatchObject({
      status: "error",
      finding: `The coordinator of Citus cannot reach 127.0.0.1:${port}: organizations there are unavailable.`,
    });
    const { address } = await service.secondProcess();
    expect(await getStatus(workspace.at(address), "/v2/activities/get", { organizationId: other })).toBe("success");
    // A purge must not miss the transactions of the node.
    const withoutNode = `the node 127.0.0.1:${port} does not report its transactions`;
    await expect(service.database.run(selectRunningTransactions)).rejects.toThrow(withoutNode);

    proxy.restore();
    await eventually(async () => {
      const select = "select events_until as until from workspaces where id = $1";
      const [row] = await runSql<{ until: string }>(service.database, select, [workspace.id]);
      expect(Number(row?.until)).toBeGreaterThan(logEnd);
    });
    expect(await checkNodes(service)).toMatchObject({ status: "ok" });
    for (const organizationId of ORGANIZATIONS) {
      await eventually(async () => expect(await addActionType(workspace, organizationId, "after")).toBe("success"));
      const expected = away.has(organizationId) ? ["after", "before"] : ["after", "before", "meanwhile"];
      // A request that has failed may still have added its record.
      expect([...new Set(await readActionTypes(workspace, organizationId))].sort()).toEqual(expected);
    }
  });

  test("a worker node that is killed under load takes down its organizations only, until it is back", async () => {
    const [coordinatorUrl = ""] = inject("serverUrls");
    const node = await prepareNode(coordinatorUrl);
    const service = await startOwnTestService();
    const workspace = await service.workspace();
    const shards = await getShards(service, workspace);
    const shardId = shards.get("organization-0")?.id ?? 0;
    await node.start();
    const templates = [inject("bareTemplateDatabase"), inject("templateDatabase")];
    await joinNode(coordinatorUrl, node, { name: getDatabaseName(service.config.databaseUrl), templates, shardId });

    const outcomes = new Map(ORGANIZATIONS.map((organizationId) => [organizationId, [] as string[]]));
    let isRunning = true;
    onTestFinished(() => {
      isRunning = false;
    });
    const adding = ORGANIZATIONS.map(async (organizationId) => {
      const own = outcomes.get(organizationId) ?? [];
      while (isRunning) own.push(await addActionType(workspace, organizationId, String(own.length)));
    });
    const away = ORGANIZATIONS.filter((organizationId) => shards.get(organizationId)?.id === shardId);
    const others = ORGANIZATIONS.filter((organizationId) => shards.get(organizationId)?.id !== shardId);
    expect(others).not.toEqual([]);
    const everyResponse = (status: string, organizationIds: string[]) =>
      eventually(() => {
        for (const organizationId of organizationIds) expect(outcomes.get(organizationId)?.at(-1)).toBe(status);
      });
    await everyResponse("success", ORGANIZATIONS);
    await node.kill();
    await everyResponse("UNAVAILABLE", away);
    await everyResponse("success", others);
    // Each node has a copy of the settings.
    const settings = { activityServiceConfig: { immutable: true } };
    for (let attempts = 0; attempts < 3; attempts++)
      expect(await getStatus(workspace, "/v2/workspace/activityconfig/update", settings)).toBe("UNAVAILABLE");
    await eventually(() => node.start());
    await everyResponse("success", away);
    isRunning = false;
    await Promise.all(adding);
    for (const [organizationId, statuses] of outcomes) {
      const written = new Set(await readActionTypes(workspace, organizationId));
      expect(statuses.filter((status, id) => status === "success" && !written.has(String(id)))).toEqual([]);
      expect([...new Set(statuses)].sort()).toEqual(
        away.includes(organizationId) ? ["UNAVAILABLE", "success"] : ["success"],
      );
    }
  });

  test("moving all shards of a node while records are added and read loses nothing", async () => {
    const service = await startOwnTestService();
    const workspace = await service.workspace();
    const acknowledged = new Map(ORGANIZATIONS.map((organizationId) => [organizationId, [] as string[]]));
    const responses: ApiResponse[] = [];
    let isMoving = true;
    onTestFinished(() => {
      isMoving = false;
    });
    const requests = [...acknowledged].map(async ([organizationId, names]) => {
      for (let number = 0; isMoving || number === 0; number++) {
        const name = `${organizationId} ${number}`;
        // The coordinator adds the records with an ID, and nodes the others.
        const fields = number % 2 === 0 ? { id: name, actionType: name } : { actionType: name };
        const response = await addActivity(workspace, organizationId, fields);
        if (response.status === "success") names.push(name);
        responses.push(response, await getResponse(workspace, "/v2/activities/get", { organizationId, pageSize: 1 }));
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
    expect(responses.filter(({ status }) => status !== "success" && status !== "UNAVAILABLE")).toEqual([]);
    for (const [organizationId, names] of acknowledged) {
      expect(names.length).toBeGreaterThan(0);
      const readable = Map.groupBy(await readActionTypes(workspace, organizationId), (name) => name);
      // A request that has failed may still have added its record.
      expect(names.filter((name) => readable.get(name)?.length !== 1)).toEqual([]);
    }
  });
});
