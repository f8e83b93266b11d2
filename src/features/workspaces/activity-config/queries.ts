import type { Queryable } from "../../../database/database.ts";
import { milliseconds, notifyChange } from "../queries.ts";

export interface ActivityConfig {
  isEnabled: boolean;
  immutable: boolean;
  /** Milliseconds since the epoch. */
  enabledTime: number | null;
  triggers: Record<string, boolean>;
}

const COLUMNS = `activity_service_enabled as "isEnabled", activities_immutable as immutable,
  ${milliseconds("activity_service_enabled_at")} as "enabledTime", activity_triggers as triggers`;

export async function selectActivityConfig(
  database: Queryable,
  workspaceId: string,
): Promise<ActivityConfig | undefined> {
  const { rows } = await database.query<ActivityConfig>(`select ${COLUMNS} from workspaces where id = $1`, [
    workspaceId,
  ]);
  return rows[0];
}

/** The same; holds until the end of the transaction. */
export async function lockActivityConfig(
  transaction: Queryable,
  workspaceId: string,
): Promise<ActivityConfig | undefined> {
  const { rows } = await transaction.query<ActivityConfig>(
    `select ${COLUMNS} from workspaces where id = $1 for no key update`,
    [workspaceId],
  );
  return rows[0];
}

/** Needs a transaction. Leaves alone what is not named; returns what there is then, or undefined for no workspace. */
export async function setActivityConfig(
  transaction: Queryable,
  workspaceId: string,
  changes: Partial<Pick<ActivityConfig, "isEnabled" | "immutable" | "triggers">>,
): Promise<ActivityConfig | undefined> {
  const { rows } = await transaction.query<ActivityConfig>(
    `update workspaces set
       activity_service_enabled = coalesce($2, activity_service_enabled),
       activity_service_enabled_at =
         case when $2 and not activity_service_enabled then statement_timestamp() else activity_service_enabled_at end,
       activities_immutable = coalesce($3, activities_immutable),
       activity_triggers = coalesce($4::json, activity_triggers)
     where id = $1 returning ${COLUMNS}`,
    [
      workspaceId,
      changes.isEnabled ?? null,
      changes.immutable ?? null,
      changes.triggers ? JSON.stringify(changes.triggers) : null,
    ],
  );
  await notifyChange(transaction);
  return rows[0];
}
