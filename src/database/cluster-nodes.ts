import { LRUCache } from "lru-cache";
import pg from "pg";
import type { Logger } from "pino";
import { ConnectionPool } from "./connection-pool.ts";
import { DELEGATED_FUNCTIONS, UNDISTRIBUTED_TABLES } from "./distribution.ts";
import { hasChangedNothing, isPoolBusy, isServerEnding, NodeUnusableError } from "./failures.ts";
import { Placements } from "./placements.ts";
import type { Query, Queryable } from "./statement.ts";

const CHECK_INTERVAL_MS = 2_000;

/** Why a standby is not used: what was written a moment ago must be read. */
export const IS_STANDBY = "it is a standby, which may not have the latest records";

/** What one node of a Citus cluster knows of the cluster. */
export interface ClusterView {
  /** Group of the node, in which shards are placed: 0 is the coordinator's. */
  groupId: number;
  /** Changes with the placement of organizations; null where they are not distributed. */
  placements: string | null;
  /** All nodes, with the state of each. */
  nodes: string;
  /** Whether the node is a standby, which has the group of its primary. */
  isStandby: boolean;
  /** Whether the node is told of all tables and their shards. */
  isSynced: boolean;
  /** Whether the node has the tables. On a worker, they are distributed then. */
  hasTables: boolean;
}

/** Reads what a node knows. It fails where the extension is missing. */
export const SELECT_CLUSTER_VIEW = `
  select groupid as "groupId", pg_is_in_recovery() as "isStandby",
    (select md5(string_agg(shardid || ' ' || placement.groupid, ',' order by shardid, placement.groupid))
      from pg_dist_shard join pg_dist_placement as placement using (shardid)
      where logicalrelid = to_regclass('organizations')) as placements,
    to_regclass('organizations') is not null as "hasTables",
    (select json_agg(json_build_array(nodeid, groupid, nodename, nodeport, isactive, metadatasynced) order by nodeid)
      from pg_dist_node)::text as nodes,
    exists (
      select from pg_dist_node where pg_dist_node.groupid = own.groupid and hasmetadata and metadatasynced and isactive
    ) as "isSynced"
  from pg_dist_local_group as own`;

/** Returns whether a node is a worker of the cluster of the coordinator, and knows as much of it. */
export function isWorkerOf(coordinator: ClusterView | undefined, node: ClusterView | undefined): boolean {
  if (!coordinator || !node) return false;
  return !isCoordinator(node) && node.isSynced && node.nodes === coordinator.nodes;
}

/** Returns why a node cannot take statements from the coordinator; undefined if it can. */
export function faultOf(coordinator: ClusterView, node: ClusterView | undefined): string | undefined {
  if (node?.isStandby) return IS_STANDBY;
  if (node?.hasTables && isWorkerOf(coordinator, node)) return undefined;
  return "it does not know the cluster as the coordinator does";
}

export function isCoordinator({ groupId }: ClusterView): boolean {
  return groupId === 0;
}

const WRITES = /\b(insert|update|delete|merge|truncate|lock|for (no key update|share|key share))\b/i;
const COORDINATOR_NAMES = [...UNDISTRIBUTED_TABLES.local, ...DELEGATED_FUNCTIONS, "pgboss", "nextval", "pg_notify"];
/** What only the coordinator has, and functions that write. */
const COORDINATOR_ONLY = new RegExp(
  String.raw`\b(${COORDINATOR_NAMES.join("|")})\b|pg_(try_)?advisory|pg_locks|pg_stat_activity`,
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
    isRunnable = /\borganization_key\b/.test(text) && !WRITES.test(text) && !COORDINATOR_ONLY.test(text);
    runnable.set(text, isRunnable);
  }
  return isRunnable;
}

type Execute = <Row>(query: Query) => Promise<Row[]>;

/** Whether a node takes statements. Its address is a host and a port. */
export interface NodeState {
  address: string;
  isUsable: boolean;
}

interface Node {
  address: string;
  pool: ConnectionPool;
  /** Runs statements on the node, which may write. */
  queryable: Queryable;
  /** Group whose shards the node has; undefined while it is unknown. */
  groupId: number | undefined;
  /** Why it cannot be used, as the log says; undefined while it can. */
  fault: string | undefined;
  isChecking: boolean;
}

/** The nodes of a Citus cluster that take statements from the coordinator, in turn, as long as they can. */
export class ClusterNodes {
  readonly #nodes: Node[];
  readonly #coordinator: ConnectionPool;
  readonly #placements: Placements;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  /** Whether the view of the coordinator is being read. */
  #isReading = false;

  constructor(options: {
    connections: readonly pg.ClientConfig[];
    coordinator: ConnectionPool;
    poolMax: number;
    log: Logger;
    /** Creates a Queryable that runs statements with this function. */
    createQueryable: (execute: Execute) => Queryable;
  }) {
    const { connections, coordinator, poolMax, log, createQueryable } = options;
    const max = Math.ceil(poolMax / connections.length);
    this.#coordinator = coordinator;
    this.#log = log;
    this.#placements = new Placements((query) => coordinator.execute(query));
    this.#nodes = connections.map((connection) => {
      const node: Node = {
        pool: new ConnectionPool({ connection, max, log, countsSilenceAsHung: true }),
        queryable: createQueryable((query) => this.#executeOn(node, query)),
        address: new URL(connection.connectionString ?? "").host,
        groupId: undefined,
        fault: "it was not checked yet",
        isChecking: false,
      };
      return node;
    });
    if (this.#nodes.length === 0) return;
    this.#timer = setInterval(() => void this.#checkAll(), CHECK_INTERVAL_MS).unref();
    void this.#checkAll();
  }

  /**
   * Runs a statement that only reads on a node whose turn it is. The coordinator runs it if no node can, and again if
   * the node ends meanwhile or has waited long for a lock.
   */
  async execute<Row>(query: Query): Promise<Row[]> {
    const usable = this.#nodes.filter(isUsable);
    const node = usable[this.#turn++ % usable.length];
    if (!node) return this.#coordinator.execute(query);
    try {
      return await this.#executeOn(node, query);
    } catch (error) {
      if (!isNodeAway(error) && !hasChangedNothing(error)) throw error;
      return this.#coordinator.execute(query);
    }
  }

  /** Returns what runs statements on the node that has an organization, if it is known and can be used. */
  nodeOf(organizationKey: string): Queryable | undefined {
    const groupId = this.#placements.groupOf(organizationKey);
    if (groupId === undefined) return undefined;
    return this.#nodes.find((node) => isUsable(node) && node.groupId === groupId)?.queryable;
  }

  get usage(): ConnectionPool["usage"][] {
    return this.#nodes.map(({ pool }) => pool.usage);
  }

  get states(): NodeState[] {
    return this.#nodes.map((node) => ({ address: node.address, isUsable: isUsable(node) }));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#nodes.map(({ pool }) => pool.close()));
  }

  /** Runs a statement on a node, which is not used for a time if it is away. Throws a NodeUnusableError until then. */
  async #executeOn<Row>(node: Node, query: Query): Promise<Row[]> {
    if (!isUsable(node)) throw new NodeUnusableError();
    try {
      return await node.pool.execute(query);
    } catch (error) {
      if (isNodeAway(error)) this.#setFault(node, String(error));
      throw error;
    }
  }

  /** Compares the nodes with the coordinator. While it is away, or has distributed nothing, they stay as they are. */
  async #checkAll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const coordinator = await readView(this.#coordinator).catch(() => undefined);
    this.#isReading = false;
    if (!coordinator?.placements) return;
    this.#placements.update(coordinator.placements);
    for (const node of this.#nodes) void this.#check(node, coordinator);
  }

  /** Uses a node from when it knows the cluster and its tables as the coordinator does, until it does not. */
  async #check(node: Node, coordinator: ClusterView): Promise<void> {
    if (node.isChecking) return;
    node.isChecking = true;
    try {
      const view = await readView(node.pool);
      node.groupId = view?.groupId;
      this.#setFault(node, faultOf(coordinator, view));
    } catch (error) {
      if (!isPoolBusy(error)) this.#setFault(node, String(error));
    } finally {
      node.isChecking = false;
    }
  }

  #setFault(node: Node, fault: string | undefined): void {
    if (fault === node.fault) return;
    node.fault = fault;
    const { address } = node;
    if (fault === undefined) this.#log.info({ address }, "a node of the cluster takes statements");
    else this.#log.warn({ address, reason: fault }, "a node of the cluster cannot be used");
  }
}

function isUsable({ fault }: Node): boolean {
  return fault === undefined;
}

/** Returns whether the connection or the server failed, rather than the statement. */
function isNodeAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isServerEnding(error);
  return !isPoolBusy(error);
}

async function readView(pool: ConnectionPool): Promise<ClusterView | undefined> {
  const [view] = await pool.execute<ClusterView>({ text: SELECT_CLUSTER_VIEW, values: [] });
  return view;
}
