import type { Config } from "../config/config.ts";
import { parseHosts } from "../database/connect.ts";
import { describeHost, readHosts } from "../database/hosts.ts";
import type { DatabaseFacts } from "../database/inspect.ts";
import type { Check } from "./check.ts";

/** Checks the hosts of DATABASE_URL if it names several: a failover needs each of them. */
export async function checkHosts({ databaseUrl = "" }: Config, facts: DatabaseFacts): Promise<Check[]> {
  const hosts = parseHosts(databaseUrl);
  if (hosts.length === 1) return [];
  const name = "hosts";
  const states = await readHosts(hosts);
  const finding = `${states.map(describeHost).join("; ")}.`;
  if (states.filter(({ primary }) => primary).length > 1) {
    const remedy = "Stop the former primary at once: what is written to it is lost. Rejoin it with pg_rewind.";
    return [{ name, status: "error", finding, remedy }];
  }
  if (states.some(({ error }) => error !== undefined)) {
    const remedy = "Start that host, and check that it accepts this machine: until then, it cannot take over.";
    return [{ name, status: "warning", finding, remedy }];
  }
  if (facts.synchronousStandbyNames === "") {
    const remedy = "Set synchronous_standby_names: without it, a failover loses the last commits.";
    return [{ name, status: "warning", finding, remedy }];
  }
  return [{ name, status: "ok", finding }];
}
