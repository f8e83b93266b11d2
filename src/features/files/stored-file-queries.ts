import { DAY_MS } from "../../database/expiry.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import { bigint, EMPTY, integer, sql, text, unprepared, uuid } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import type { CrossTenantScope } from "../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../tenancy/tenancy-queries.ts";
import { NEVER_REFERENCED } from "./file-queries.ts";

/** The files in a state, of all organizations. */
export interface StoredFiles {
  /** `pending` until the upload, `unreferenced` until a record has it, and `removed` until its bytes are deleted. */
  state: "pending" | "unreferenced" | "referenced" | "removed";
  count: number;
  bytes: number;
}

/** Returns the number and the size of files by state, of all organizations. Reads all rows of files. */
export function selectStoredFiles(scope: CrossTenantScope): Promise<StoredFiles[]> {
  return scope.run(
    sql<StoredFiles>`select case when removed_at is not null then 'removed' when uploaded_at is null then 'pending'
        when ${NEVER_REFERENCED} then 'unreferenced' else 'referenced' end as state,
        count(*) as count, sum(size)::bigint as bytes
      from files group by 1 order by 1`,
  );
}

/** Returns the size of all files of a workspace. */
export async function selectFileBytesOfWorkspace(scope: CrossTenantScope, workspaceId: string): Promise<number> {
  const [row] = await scope.run(
    sql<{ bytes: number }>`select coalesce(sum(files.size), 0)::bigint as bytes
      from organizations join files on files.organization_key = organizations.organization_key
      where organizations.workspace_id = ${uuid(workspaceId)}`,
  );
  return row?.bytes ?? 0;
}

interface UploadedFile {
  organizationKey: OrganizationKey;
  fileId: string;
  size: number;
  checksum: string | null;
  /** Whether it was uploaded within a day. */
  isNew: boolean;
}

/** Returns the next files of all organizations that have bytes. */
export function selectUploadedFiles(
  scope: CrossTenantScope,
  after: UploadedFile | undefined,
  limit: number,
): Promise<UploadedFile[]> {
  const isNext = after && sql`and (organization_key, id) > (${uuid(after.organizationKey)}, ${text(after.fileId)})`;
  return scope.run(
    unprepared(
      sql<UploadedFile>`select ${KEY_DIGITS} as "organizationKey", id as "fileId",
          uploaded_at > ${NOW_MS} - ${bigint(DAY_MS)} as "isNew",
          size, checksum from files
        where uploaded_at is not null and removed_at is null ${isNext ?? EMPTY}
        order by organization_key, id limit ${integer(limit)}`,
    ),
  );
}
