import { join, type Sql, sql, text, texts, unprepared, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { type AccessBlock, accessBlock } from "../../tenancy/queries.ts";
import { andInFolder, DOCUMENT_RECORD } from "../queries.ts";

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
  database: Queryable,
  organizationKey: string,
  { folderId, filters }: CountedDocuments,
): Promise<{ count: number; block: AccessBlock | null }> {
  const metadata = comparable(DOCUMENT_RECORD);
  const isFiltered = filters.map(({ key, values }) => {
    const field = sql`${metadata} -> (${comparable(sql`${text(JSON.stringify(key))}`)} #>> '{}')`;
    return sql`and exists (select 1 from unnest(${texts(values)}) as given (value)
      where ${field} = ${comparable(sql`given.value`)})`;
  });
  const [row] = await database.run(
    unprepared(
      sql<{ count: number; block: AccessBlock | null }>`select ${accessBlock(organizationKey)} as block, (
          select count(*) from documents
          where organization_key = ${uuid(organizationKey)} ${andInFolder(folderId)}
            ${join(isFiltered, " ")}
        ) as count`,
    ),
  );
  return { count: row?.count ?? 0, block: row?.block ?? null };
}

/** Escape sequences of U+0000 and lone surrogates, which jsonb does not hold. */
const UNHELD = sql`'\\\\u(0000|d[89a-f][0-9a-f]{2})'`;

/** Returns a JSON text as jsonb, with U+FFFD and their digits for characters that jsonb does not hold. */
function comparable(record: Sql): Sql {
  return sql`regexp_replace(${record}, ${UNHELD}, '\\\\ufffd\\1', 'g')::jsonb`;
}
