import { comparableJson } from "../../database/comparable-json.ts";
import { join, sql, text, texts, unprepared, uuid } from "../../database/sql.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../tenancy/tenancy-queries.ts";
import { andInFolder, DOCUMENT_RECORD } from "./document-queries.ts";

/** Condition on a field of the metadata: its value is one of these, which are JSON texts. */
export interface MetadataFilter {
  key: string;
  values: string[];
}

interface CountedDocuments {
  /** Null selects the documents outside of any folder. */
  folderId?: string | null | undefined;
  filters: MetadataFilter[];
}

/**
 * Counts documents. Metadata have no index, so filters read the records of all documents that match otherwise; planned
 * on each call, since organizations differ much in size.
 */
export async function countDocuments(
  scope: OrganizationScope,
  { folderId, filters }: CountedDocuments,
): Promise<{ count: number; block: AccessBlock | null }> {
  const metadata = comparableJson(DOCUMENT_RECORD);
  const isFiltered = filters.map(({ key, values }) => {
    const field = sql`${metadata} -> (${comparableJson(sql`${text(JSON.stringify(key))}`)} #>> '{}')`;
    return sql`and exists (select 1 from unnest(${texts(values)}) as given (value)
      where ${field} = ${comparableJson(sql`given.value`)})`;
  });
  const [row] = await scope.run(
    unprepared(
      sql<{ count: number; block: AccessBlock | null }>`select ${buildAccessBlock(scope.key)} as block, (
          select count(*) from documents
          where organization_key = ${uuid(scope.key)} ${andInFolder(folderId)}
            ${join(isFiltered, " ")}
        ) as count`,
    ),
  );
  return { count: row?.count ?? 0, block: row?.block ?? null };
}
