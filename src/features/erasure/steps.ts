import type { Queryable } from "../../database/database.ts";
import type { Purge, PurgeStep, UsersScope } from "./user-data-kind.ts";
import {
  lockScanned,
  type MentioningRecords,
  purgeUserRows,
  type RowPosition,
  replaceScanned,
  scanRecords,
  selectAuthors,
  type UserRows,
} from "./users/queries.ts";

const START: RowPosition = [1, 0];

/** Deletes the rows of the users. */
export function rowsOfUsers(rows: UserRows): PurgeStep {
  const purge: Purge = async (database, scope, after) => {
    const [place, writtenAt, isIncomplete] = after ?? [...START, 0];
    const { found, erased, last, isLast } = await purgeUserRows(database, rows, scope, [
      Number(place),
      Number(writtenAt),
    ]);
    const isPassedOver = isIncomplete === 1 || erased < found;
    return isLast ? { isIncomplete: isPassedOver } : { next: [...last, isPassedOver ? 1 : 0] };
  };
  return { rows: [rows], records: [], purge };
}

/** Takes the users out of records that others have written. Fields at the top of a record that are `kept` stay. */
export function mentionsIn(records: MentioningRecords, kept: readonly string[]): PurgeStep {
  const keptFields = new Set(kept);
  const repeated = Object.values(records.repeated ?? {});
  const purge: Purge = async (database, scope, after) => {
    const { mentions } = scope;
    const found = await scanRecords(database, records, scope, after?.map(String));
    const mentioning = found.records.filter(
      ({ text }) => text !== null && mentions.strip(text, keptFields) !== undefined,
    );
    if (mentioning.length > 0) {
      await database.transaction(async (transaction) => {
        const locked = await lockScanned(
          transaction,
          records,
          scope,
          mentioning.map(({ key }) => key),
        );
        const stripped = locked.flatMap(({ key, text }) => {
          const record = mentions.strip(text, keptFields);
          return record === undefined ? [] : [{ key, record, repeated: fieldsOf(record, repeated) }];
        });
        if (stripped.length > 0) await replaceScanned(transaction, records, scope, stripped);
      });
    }
    return found.next ? { next: found.next } : {};
  };
  return { rows: [], records: [records], purge };
}

/** Of a JSON object's text; null where a field is missing. */
function fieldsOf(record: string, names: string[]): (string | null)[] {
  if (names.length === 0) return [];
  const fields: { [name: string]: unknown } = JSON.parse(record);
  return names.map((name) => (typeof fields[name] === "string" ? fields[name] : null));
}

/** The e-mail addresses in the field `author`, or with "" in the whole record, of the users' own records. */
export async function* addressesIn(
  database: Queryable,
  rows: UserRows,
  author: string,
  scope: UsersScope,
): AsyncGenerator<string> {
  let next: RowPosition | undefined = START;
  do {
    const found: Awaited<ReturnType<typeof selectAuthors>> = await selectAuthors(database, rows, author, scope, next);
    for (const text of found.records) {
      const record = JSON.parse(text);
      const email = (author === "" ? record : record[author])?.email;
      if (typeof email === "string") yield email;
    }
    next = found.next;
  } while (next);
}
