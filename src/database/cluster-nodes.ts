import { LRUCache } from "lru-cache";
import pg from "pg";
import type { Logger } from "pino";
import { ConnectionPool } from "./connection-pool.ts";
import { UNDISTRIBUTED_TABLES } from "./distribution.ts";
import { isServerEnding } from "./failures.ts";
import type { Query } from "./statement.ts";

const CHECK_INTERVAL_MS = 2_000;

/** What one node of a Citus cluster knows of the cluster. */
export interface ClusterView {
  isCoordinator: boolean;
  /** All nodes, with the state of each. */
  nodes: string;
  /** Whether the node is told of all tables and their shards. */
  isSynced: boolean;
  /** Whether the node has the tables. On a worker, they are distributed then. */
  hasTables: boolean;
}

/** Reads what a node knows. It fails where the extension is missing. */
export const SELECT_CLUSTER_VIEW = `
  select groupid = 0 as "isCoordinator", to_regclass('organizations') is not null as "hasTables",
    (select json_agg(json_build_array(nodeid, groupid, nodename, nodeport, isactive, metadatasynced) order by nodeid)
      from pg_dist_node)::text as nodes,
    exists (
      select from pg_dist_node where pg_dist_node.groupid = own.groupid and hasmetadata and metadatasynced and isactive
    ) as "isSynced"
  from pg_dist_local_group as own`;

/** Returns whether a node is a worker of the cluster of the coordinator, and knows as much of it. */
export function isWorkerOf(coordinator: ClusterView | undefined, node: ClusterView | undefined): boolean {
  return (
    coordinator !== undefined && node?.isCoordinator === false && node.isSynced && node.nodes === coordinator.nodes
  );
}

const WRITES = /\b(insert|update|delete|merge|truncate|lock|for (no key update|share|key share))\b/i;
const OF_COORDINATOR = new RegExp(
  String.raw`\b(${[...UNDISTRIBUTED_TABLES.local, "pgboss", "nextval", "pg_notify"].join("|")})\b` +
    "|pg_(try_)?advisory|pg_locks|pg_stat_activity",
);

/** Statements are built from constant texts, so most are among the latest few hundred. */
const runnable = new LRUCache<string, boolean>({ max: 1_000 });

/**
 * Returns whether any node of a Citus cluster can run the statement: it reads tables of organizations, whose key it
 * therefore names, and nothing that only the coordinator has.
 */
export function runsOnAnyNode({ text }: Pick<Query, "text">): boolean {
  let isRunnable = runnable.get(text);
  if (isRunnable === undefined) {
    isRunnable = /\borganization_key\b/.test(text) && !WRITES.test(text) && !OF_COORDINATOR.test(text);
    runnable.set(text, isRunnable);
  }
  return isRunnable;
}

interface Node {
  pool: ConnectionPool;
  address: string;
  isUsable: boolean;
  isChecking: boolean;
}

/** The nodes of a Citus cluster that take statements from the coordinator, in turn, as long as they can. */
export class ClusterNodes {
  readonly #nodes: Node[];
  readonly #coordinator: ConnectionPool;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout | undefined;
  #turn = 0;

  constructor(options: {
    connections: readonly pg.ClientConfig[];
    coordinator: ConnectionPool;
    poolMax: number;
    log: Logger;
  }) {
    const { connections, coordinator, poolMax, log } = options;
    const max = Math.ceil(poolMax / connections.length);
    this.#coordinator = coordinator;
    this.#log = log;
    this.#nodes = connections.map((connection) => ({
      pool: new ConnectionPool({ connection, max, log, countsSilenceAsHung: true }),
      address: new URL(connection.connectionString ?? "").host,
      isUsable: false,
      isChecking: false,
    }));
    if (this.#nodes.length === 0) return;
    const checkAll = () => this.#nodes.forEach((node) => void this.#check(node));
    this.#timer = setInterval(checkAll, CHECK_INTERVAL_MS).unref();
    checkAll();
  }

  /**
   * Runs a statement that only reads on a node whose turn it is. The coordinator runs it if no node can, and again if
   * the node ends meanwhile.
   */
  async execute<Row>(query: Query): Promise<Row[]> {
    const usable = this.#nodes.filter(({ isUsable }) => isUsable);
    const node = usable[this.#turn++ % usable.length];
    if (!node) return this.#coordinator.execute(query);
    try {
      return await node.pool.execute(query);
    } catch (error) {
      // Any other error that PostgreSQL reports is one of the statement.
      if (error instanceof pg.DatabaseError && !isServerEnding(error)) throw error;
      this.#giveUp(node, error);
      return this.#coordinator.execute(query);
    }
  }

  get usage(): ConnectionPool["usage"][] {
    return this.#nodes.map(({ pool }) => pool.usage);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#nodes.map(({ pool }) => pool.close()));
  }

  #giveUp(node: Node, reason: unknown): void {
    if (!node.isUsable) return;
    node.isUsable = false;
    const { address } = node;
    this.#log.warn({ address, reason: String(reason) }, "a node of the cluster is not used until it can be");
  }

  /** Uses a node from when it knows the cluster and its tables as the coordinator does, until it does not. */
  async #check(node: Node): Promise<void> {
    if (node.isChecking) return;
    node.isChecking = true;
    try {
      const coordinator = await readView(this.#coordinator).catch(() => undefined);
      // While the coordinator is away, nothing can be compared, and nodes that are used go on.
      if (coordinator) this.#use(node, coordinator, await readView(node.pool));
    } catch (error) {
      this.#giveUp(node, error);
    } finally {
      node.isChecking = false;
    }
  }

  #use(node: Node, coordinator: ClusterView, view: ClusterView | undefined): void {
    const isUsable = view?.hasTables === true && isWorkerOf(coordinator, view);
    if (!isUsable) this.#giveUp(node, "it does not know the cluster as the coordinator does");
    else if (!node.isUsable) this.#log.info({ address: node.address }, "a node of the cluster takes statements");
    node.isUsable = isUsable;
  }
}

async function readView(pool: ConnectionPool): Promise<ClusterView | undefined> {
  const [view] = await pool.execute<ClusterView>({ text: SELECT_CLUSTER_VIEW, values: [] });
  return view;
}
