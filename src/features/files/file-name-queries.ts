import { integer, sql, text, texts, unprepared, uuid } from "../../database/sql.ts";
import { existedAt } from "../purge/purge-queries.ts";
import type { MentioningRecords, UserDeletion } from "../purge/user-data-kind.ts";
import { mayMention } from "../purge/user-purge-queries.ts";
import type { InTransaction, StoredOrganization } from "../tenancy/organization-scope.ts";

const SCANNED_FILES = 1_000;

/** The JSON text in which a file's name may mention users. */
const TEXT = sql`json_build_object('name', name)::text`;

export const FILE_NAMES: MentioningRecords = {
  ...{ table: "files", key: ["id"], writtenAt: "created_at", hasBytes: false },
  text: TEXT,
};

interface FileName {
  id: string;
  text: string;
}

/** Returns the next files whose names may mention the users and, if there is more, the ID of the last one scanned. */
export async function scanFileNames(
  scope: StoredOrganization,
  { accepted, mentions }: UserDeletion,
  after: string,
): Promise<{ files: FileName[]; next: string | undefined }> {
  const rows = await scope.run(
    unprepared(
      sql<{ id: string; text: string | null }>`select id,
          case when ${mayMention(sql`text`, mentions.patterns)} then text end as text
        from (
          select id, ${TEXT} as text from files
          where organization_key = ${uuid(scope.key)} and id > ${text(after)} and ${existedAt(FILE_NAMES, accepted)}
          order by id limit ${integer(SCANNED_FILES)}
        ) as scanned order by id`,
    ),
  );
  const files = rows.flatMap(({ id, text }) => (text === null ? [] : [{ id, text }]));
  return { files, next: rows.length < SCANNED_FILES ? undefined : rows.at(-1)?.id };
}

/** Renames files, whose names never change otherwise. Locks rows in key order to avoid deadlocks. Returns how many. */
export async function renameFiles(
  scope: InTransaction<StoredOrganization>,
  files: readonly { id: string; name: string }[],
): Promise<number> {
  const ids = texts(files.map(({ id }) => id));
  await scope.run(
    sql`select id from files where organization_key = ${uuid(scope.key)} and id = any(${ids}) order by id for update`,
  );
  const renamed = await scope.run(
    unprepared(
      sql<{ id: string }>`update files set name = input.name
        from unnest(${ids}, ${texts(files.map(({ name }) => name))}) as input (id, name)
        where files.organization_key = ${uuid(scope.key)} and files.id = input.id
        returning files.id`,
    ),
  );
  return renamed.length;
}
