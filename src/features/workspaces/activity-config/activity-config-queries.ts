import { bigint, boolean, EMPTY, json, sql, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
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
export function selectActivityConfig(database: Queryable, workspaceId: string): Promise<ActivityConfig | undefined> {
  return select(database, workspaceId, false);
}

/** Returns the configuration and locks it until the end of the transaction. */
export function lockActivityConfig(transaction: Queryable, workspaceId: string): Promise<ActivityConfig | undefined> {
  return select(transaction, workspaceId, true);
}

async function select(
  database: Queryable,
  workspaceId: string,
  isLocked: boolean,
): Promise<ActivityConfig | undefined> {
  const [row] = await database.run(
    sql<Row>`select ${COLUMNS} from workspaces where id = ${uuid(workspaceId)}
      ${isLocked ? sql`for no key update` : EMPTY}`,
  );
  return row && toConfig(row);
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
