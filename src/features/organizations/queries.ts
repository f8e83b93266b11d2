import type { Queryable } from "../../database/database.ts";

/** Why the data of an organization may not be used. */
export type Obstacle = "disabled" | "deleted";

/**
 * An Obstacle or null, for statements whose $1 is an organization key. It is read where the data is read, so it is
 * never stale. An organization that does not exist yet has none.
 */
export const OBSTACLE = `(select ${obstacleOf("organizations")} from organizations
  where organizations.organization_key = $1)`;

/** The same of a row that the statement has already. */
export function obstacleOf(organizations: string): string {
  return `case when ${organizations}.deleted_at is not null then 'deleted'
    when ${organizations}.disabled then 'disabled' end`;
}

export async function selectObstacle(database: Queryable, organizationKey: string): Promise<Obstacle | null> {
  const { rows } = await database.query<{ obstacle: Obstacle | null }>(`select ${OBSTACLE} as obstacle`, [
    organizationKey,
  ]);
  return rows[0]?.obstacle ?? null;
}

/** An organization, or a document of it, that a record is written to. */
export interface Place {
  organizationKey: string;
  workspaceId: string;
  organizationId: string;
  documentId?: string;
}

/** Makes the organization and the document where they are missing, in one statement; returns what stands in the way. */
export async function insertPlace(database: Queryable, place: Place): Promise<Obstacle | null> {
  const { rows } = await database.query<{ obstacle: Obstacle | null }>(
    `with found as (
       select ${OBSTACLE} as obstacle
     ), new_organization as (
       insert into organizations (organization_key, workspace_id, organization_id)
       select $1, $2, $3
       where not exists (select from organizations where organization_key = $1)
       on conflict do nothing
     ), new_document as (
       insert into documents (organization_key, document_id)
       select $1, $4 from found
       where $4::text is not null and found.obstacle is null
         and not exists (select from documents where organization_key = $1 and document_id = $4)
       on conflict do nothing
     )
     select obstacle from found`,
    [place.organizationKey, place.workspaceId, place.organizationId, place.documentId ?? null],
  );
  return rows[0]?.obstacle ?? null;
}

/** Creates those that are missing. In the order of the keys, so that two calls never wait for each other in a circle. */
export async function setDisabled(
  database: Queryable,
  workspaceId: string,
  organizations: { organizationKey: string; organizationId: string }[],
  disabled: boolean,
): Promise<void> {
  await database.query(
    `insert into organizations (organization_key, workspace_id, organization_id, disabled)
     select organization_key, $1, organization_id, $4
     from unnest($2::uuid[], $3::text[]) as given (organization_key, organization_id)
     order by organization_key
     on conflict (organization_key) do update set disabled = excluded.disabled`,
    [
      workspaceId,
      organizations.map(({ organizationKey }) => organizationKey),
      organizations.map(({ organizationId }) => organizationId),
      disabled,
    ],
  );
}

/** By id; the first 1,000 of the workspace without `organizationIds`. */
export async function selectOrganizations(
  database: Queryable,
  workspaceId: string,
  organizationIds: string[] | undefined,
): Promise<{ id: string; organizationName: string; disabled: boolean }[]> {
  const { rows } = await database.query<{ id: string; organizationName: string; disabled: boolean }>(
    `select organization_id as id, organization_name as "organizationName", disabled from organizations
     where workspace_id = $1 and ($2::text[] is null or organization_id = any($2))
     order by organization_id limit 1000`,
    [workspaceId, organizationIds ?? null],
  );
  return rows;
}
