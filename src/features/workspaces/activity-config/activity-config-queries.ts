import { bigint, boolean, json, type Sql, sql, uuid } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { milliseconds } from "../../../database/time.ts";
import { nestTriggers, type Triggers } from "../triggers.ts";
import { notifyChange } from "../workspace-queries.ts";

export interface ActivityConfig {
  isEnabled: boolean;
  immutable: boolean;
  /** Milliseconds since the epoch; missing if the service was never turned on. */
  enabledTime?: number;
  triggers: Triggers;
}

type Row = Omit<ActivityConfig, "enabledTime"> & { enabledTime: number | null };

const COLUMNS = sql`activity_service_enabled as "isEnabled", activities_immutable as immutable,
  ${milliseconds(sql`activity_service_enabled_at`)} as "enabledTime", activity_triggers as triggers`;

/** Returns the configuration, or undefined if there is no such workspace. */
export async function selectActivityConfig(
  database: Queryable,
  workspaceId: string,
): Promise<ActivityConfig | undefined> {
  const [row] = await database.run(buildSelect(workspaceId));
  return row && toConfig(row);
}

/** Returns the configuration and locks it until the end of the transaction. */
export async function lockActivityConfig(
  transaction: Transaction,
  workspaceId: string,
): Promise<ActivityConfig | undefined> {
  const [row] = await transaction.run(sql<Row>`${buildSelect(workspaceId)} for no key update`);
  return row && toConfig(row);
}

function buildSelect(workspaceId: string): Sql<Row> {
  return sql`select ${COLUMNS} from workspaces where id = ${uuid(workspaceId)}`;
}

/** Returns the configuration of a row. Earlier versions stored triggers under their flat names. */
function toConfig({ enabledTime, triggers, ...row }: Row): ActivityConfig {
  const config = { ...row, triggers: nestTriggers(triggers) };
  return enabledTime === null ? config : { ...config, enabledTime };
}

/** Changes the named fields in a transaction. Returns the result, or undefined if there is no such workspace. */
export async function setActivityConfig(
  transaction: Queryable,
  workspaceId: string,
  { isEnabled, immutable, enabledTime, triggers }: Partial<ActivityConfig>,
): Promise<ActivityConfig | undefined> {
  const enabled = boolean(isEnabled ?? null);
  await transaction.run(
    sql`update workspaces set
        activity_service_enabled = coalesce(${enabled}, activity_service_enabled),
        activity_service_enabled_at = coalesce(to_timestamp(${bigint(enabledTime ?? null)} / 1000.0),
          case when ${enabled} and not activity_service_enabled
            then input.now else activity_service_enabled_at end),
        activities_immutable = coalesce(${boolean(immutable ?? null)}, activities_immutable),
        activity_triggers = coalesce(${json(triggers ? JSON.stringify(triggers) : null)}, activity_triggers)
      from (select statement_timestamp() as now) as input
      where id = ${uuid(workspaceId)}`,
  );
  await notifyChange(transaction);
  return selectActivityConfig(transaction, workspaceId);
}
