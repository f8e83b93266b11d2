import type { StoredOrganization } from "../tenancy/organization-scope.ts";
import type { DeletedUsers, MentioningRecords, Purge, PurgeStep, UserRows } from "./user-data-kind.ts";
import {
  lockScanned,
  purgeUserRows,
  type RowPosition,
  replaceScanned,
  scanRecords,
  selectAuthors,
} from "./user-purge-queries.ts";

const START: RowPosition = [1, 0];

/** Returns the step that purges the rows of the users. */
export function purgeRowsStep(rows: UserRows): PurgeStep {
  const purge: Purge = async (organization, deletion, after) => {
    const [place, writtenAt, isIncomplete] = after ?? [...START, 0];
    const position: RowPosition = [Number(place), Number(writtenAt)];
    const { found, purged, last, isLast } = await organization.transaction((transaction) =>
      purgeUserRows(transaction, rows, deletion, position),
    );
    const isSkipped = isIncomplete === 1 || purged < found;
    return isLast ? { isIncomplete: isSkipped } : { next: [...last, isSkipped ? 1 : 0] };
  };
  return { rows: [rows], records: [], purge };
}

/** Returns the step that removes the users from records of other users. Fields in `kept` stay. */
export function redactMentionsStep(records: MentioningRecords, kept: readonly string[]): PurgeStep {
  const keptFields = new Set(kept);
  const { repeated = {}, computed = {} } = records;
  function getColumns(text: string): (string | null)[] {
    const names = Object.values(repeated);
    const functions = Object.values(computed);
    if (names.length + functions.length === 0) return [];
    const record: Record<string, unknown> = JSON.parse(text);
    const fields = names.map((name) => (typeof record[name] === "string" ? record[name] : null));
    return [...fields, ...functions.map((compute) => compute(record))];
  }
  const purge: Purge = async (organization, deletion, after) => {
    const { mentions } = deletion;
    const found = await scanRecords(organization, records, deletion, after?.map(String));
    const mentioning = found.records.filter(
      ({ text }) => text !== null && mentions.redact(text, keptFields) !== undefined,
    );
    if (mentioning.length > 0) {
      await organization.transaction(async (transaction) => {
        const locked = await lockScanned(
          transaction,
          records,
          deletion,
          mentioning.map(({ key }) => key),
        );
        const redacted = locked.flatMap(({ key, text }) => {
          const record = mentions.redact(text, keptFields);
          return record === undefined ? [] : [{ key, record, repeated: getColumns(record) }];
        });
        if (redacted.length > 0) await replaceScanned(transaction, records, deletion, redacted);
      });
    }
    return found.next ? { next: found.next } : {};
  };
  return { rows: [], records: [records], keptFields: kept, purge };
}

/** Yields the email addresses in the field `author` of the users' own records, or with "" in the whole record. */
export async function* readAddresses(
  organization: StoredOrganization,
  rows: UserRows,
  author: string,
  users: DeletedUsers,
): AsyncGenerator<string> {
  let next: RowPosition | undefined = START;
  do {
    const found: Awaited<ReturnType<typeof selectAuthors>> = await selectAuthors(
      organization,
      rows,
      author,
      users,
      next,
    );
    for (const text of found.records) {
      const record = JSON.parse(text);
      const email = (author === "" ? record : record[author])?.email;
      if (typeof email === "string") yield email;
    }
    next = found.next;
  } while (next);
}
