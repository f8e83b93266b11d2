import { databaseUrl, runQuery } from "./servers.ts";

/** Makes a database that exists on every node a Citus cluster. The first URL is that of the coordinator. */
export async function joinNodes(nodeUrls: readonly string[], name: string): Promise<void> {
  const urls = nodeUrls.map((url) => databaseUrl(url, name));
  const [coordinator = "", ...workers] = urls;
  await Promise.all(urls.map((url) => runQuery(url, "create extension citus")));
  await runQuery(coordinator, `select citus_set_coordinator_host(${addressOf(coordinator)})`);
  for (const worker of workers) await runQuery(coordinator, `select citus_add_node(${addressOf(worker)})`);
}

/** Returns host and port as SQL arguments. */
function addressOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port || "5432"}`;
}
