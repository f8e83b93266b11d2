import { Socket } from "node:net";
import pg from "pg";
import { registerCleanup } from "./cleanup.ts";
import { freePort } from "./free-port.ts";
import { databaseUrl, runQuery } from "./servers.ts";

/** Makes a database that exists on every node a Citus cluster. The first URL is that of the coordinator. */
export async function joinNodes(nodeUrls: readonly string[], name: string): Promise<void> {
  const urls = nodeUrls.map((url) => databaseUrl(url, name));
  const [coordinator = "", ...workers] = urls;
  await Promise.all(urls.map((url) => runQuery(url, "create extension citus")));
  await runQuery(coordinator, `select citus_set_coordinator_host(${getAddress(coordinator)})`);
  for (const worker of workers) await runQuery(coordinator, `select citus_add_node(${getAddress(worker)})`);
}

/** Returns host and port as SQL arguments. */
function getAddress(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port || "5432"}`;
}

export interface ExtraNode {
  /** Connection string of the server. */
  url: string;
  start(): Promise<void>;
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>;
}

/** Prepares a server for a further node of a cluster. The server of `coordinatorUrl` runs the commands, as its user. */
export async function prepareNode(coordinatorUrl: string): Promise<ExtraNode> {
  const run = (command: string) => runProgram(coordinatorUrl, command);
  const { rows } = await runQuery(
    coordinatorUrl,
    `select (select setting from pg_config where name = 'BINDIR') as bin,
      current_setting('data_directory') || '-extra-' || gen_random_uuid() as folder`,
  );
  const [{ bin, folder }] = rows;
  const url = new URL(coordinatorUrl);
  url.port = String(await freePort());
  const settings = Object.entries({
    port: url.port,
    listen_addresses: url.hostname,
    unix_socket_directories: "",
    shared_preload_libraries: "citus",
    "citus.node_conninfo": "sslmode=disable",
  }).map(([name, value]) => `-c ${name}=${value}`);
  await run(`"${bin}/initdb" -D "${folder}" -U ${url.username} -A trust -E UTF8 --locale=C.UTF-8 --no-sync`);
  const kill = `kill -9 $(head -n 1 "${folder}/postmaster.pid")`;
  registerCleanup(() => run(`${kill}; rm -rf "${folder}"`));
  return {
    url: url.href,
    start: () => run(`"${bin}/pg_ctl" -D "${folder}" -l "${folder}/log" -o "${settings.join(" ")}" -w start`),
    kill: () => run(kill),
  };
}

/**
 * Runs a command on a server. It gets no rows, as one that ends before it has read them would fail. What it leaves
 * running keeps the connection open, so that is destroyed.
 */
async function runProgram(serverUrl: string, command: string): Promise<void> {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: serverUrl, stream: () => socket });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(`copy (select where false) to program $command$${command} > /dev/null 2>&1$command$`);
  } finally {
    socket.destroy();
  }
}

/**
 * Adds a node to the cluster of a database, and moves a shard of each table to it. Citus wants the databases from which
 * it was cloned to exist there too.
 */
export async function joinNode(
  coordinatorUrl: string,
  node: ExtraNode,
  { name, templates, shardId }: { name: string; templates: string[]; shardId: number },
): Promise<void> {
  for (const created of [...templates, name]) {
    await runQuery(node.url, `create database ${created} encoding 'UTF8' template template0`);
  }
  await runQuery(databaseUrl(node.url, name), "create extension citus");
  const address = getAddress(node.url);
  const coordinator = databaseUrl(coordinatorUrl, name);
  await runQuery(coordinator, `select citus_add_node(${address})`);
  await runQuery(coordinator, "select replicate_reference_tables('block_writes')");
  await runQuery(
    coordinator,
    `select citus_move_shard_placement(shardid, nodename, nodeport, ${address}, 'block_writes')
     from pg_dist_shard_placement where shardid = ${shardId}`,
  );
}
