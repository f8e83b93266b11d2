import { LRUCache } from "lru-cache";
import { plainArray } from "./array-parameter.ts";
import type { Query } from "./statement.ts";

/** Number of organizations whose node is known. */
const MAX_ORGANIZATIONS = 100_000;

const SELECT_GROUPS = `
  select number::int, groupid as "groupId"
  from unnest($1::uuid[]) with ordinality as organization (organization_key, number)
  cross join lateral (
    select get_shard_id_for_distribution_column('organizations', organization_key) as shardid
  ) as shard
  join pg_dist_placement using (shardid)`;

/**
 * Knows which group of a Citus cluster has the shard of an organization. A node that no longer has it still runs
 * statements correctly: Citus sends them on.
 */
export class Placements {
  readonly #execute: <Row>(query: Query) => Promise<Row[]>;
  readonly #groups = new LRUCache<string, number>({ max: MAX_ORGANIZATIONS });
  readonly #unknown = new Set<string>();
  #isReading = false;
  #version: string | null = null;

  /** Reads placements by this function, from the coordinator. */
  constructor(execute: <Row>(query: Query) => Promise<Row[]>) {
    this.#execute = execute;
  }

  /** Forgets all organizations if the version of the placements is a new one. */
  update(version: string | null): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#groups.clear();
  }

  /** Returns the group of an organization, or undefined while it is not known yet. */
  groupOf(organizationKey: string): number | undefined {
    const group = this.#groups.get(organizationKey);
    if (group === undefined) {
      this.#unknown.add(organizationKey);
      void this.#read();
    }
    return group;
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const version = this.#version;
    const keys = [...this.#unknown];
    this.#unknown.clear();
    try {
      const query = { text: SELECT_GROUPS, values: [plainArray(keys)] };
      const rows = await this.#execute<{ number: number; groupId: number }>(query);
      if (version !== this.#version) return;
      for (const { number, groupId } of rows) this.#groups.set(keys[number - 1] ?? "", groupId);
    } catch {
      // The next call asks again; until then, the coordinator runs the statements.
    } finally {
      this.#isReading = false;
    }
  }
}
