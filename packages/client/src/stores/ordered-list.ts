import type { ListState } from "./live-list.ts";

/** Number of records of a page. */
export const PAGE_SIZE = 50;

/** How the records of a list are identified and ordered. */
export interface Order<Record> {
  getId(record: Record): unknown;
  /** Returns the time by which the records are ordered, newest first. */
  getTime(record: Record): number;
}

/** Returns the records with one replaced, or inserted by its time if it is new and within the part that was read. */
export function upsertByTime<Record>(
  { data, hasMore }: Pick<ListState<Record>, "data" | "hasMore">,
  record: Record,
  { getId, getTime }: Order<Record>,
): Record[] {
  const id = getId(record);
  if (data.some((known) => getId(known) === id)) return replace(data, record, getId);
  const index = data.findIndex((known) => getTime(known) <= getTime(record));
  if (index === -1) return hasMore ? data : [...data, record];
  return [...data.slice(0, index), record, ...data.slice(index)];
}

/** Returns the records with one replaced, or added at the end if it is new. */
export function upsertLast<Record>(data: Record[], record: Record, getId: (record: Record) => unknown): Record[] {
  return data.some((known) => getId(known) === getId(record)) ? replace(data, record, getId) : [...data, record];
}

function replace<Record>(data: Record[], record: Record, getId: (record: Record) => unknown): Record[] {
  return data.map((known) => (getId(known) === getId(record) ? record : known));
}
