import type { Queryable } from "../../../database/database.ts";
import type { FilesScope, PurgeStep, UserDataKind } from "../../erasure/user-data-kind.ts";
import type { MentioningRecords, UserRows } from "../../erasure/users/queries.ts";
import { USER_DATA } from "../kinds.ts";
import { selectPlacesOfRecords, selectPlacesOfRows, type UsersInPlaces } from "./queries.ts";

const STEPS = USER_DATA.flatMap(({ steps }) => steps);
const ALL_ROWS = [...new Set(STEPS.flatMap(({ rows }) => rows))];
const ALL_RECORDS = [...new Set(STEPS.flatMap(({ records }) => records))];
const ALL_WITH_ADDRESSES = USER_DATA.filter(({ findAddresses }) => findAddresses);
const ROWS_WITH_ADDRESSES = ALL_ROWS.filter((rows) => ALL_WITH_ADDRESSES.some((data) => rowsOf(data).includes(rows)));

const NOTHING_KEPT: ReadonlySet<string> = new Set();

/** Who is looked for, and where: many organizations that share a few statements. */
export interface SurveyScope extends UsersInPlaces, FilesScope {}

/** Whether the users have rows of their own of a kind in an organization, which may name their addresses. */
export async function surveyAddresses(
  database: Queryable,
  scope: UsersInPlaces,
): Promise<(data: UserDataKind, organizationKey: string) => boolean> {
  const places = await selectPlacesOfRows(database, ROWS_WITH_ADDRESSES, scope);
  return (data, organizationKey) => rowsOf(data).some((rows) => places.get(rows)?.has(organizationKey));
}

/** Whether the users have rows of their own in an organization, of any kind. */
export async function surveyRows(
  database: Queryable,
  scope: UsersInPlaces,
): Promise<(organizationKey: string) => boolean> {
  const places = [...(await selectPlacesOfRows(database, ALL_ROWS, scope)).values()];
  return (organizationKey) => places.some((keys) => keys.has(organizationKey));
}

/** Whether a step may have something to do in an organization. Where it says no, there is nothing. */
export async function surveySteps(
  { database, signal }: { database: Queryable; signal: AbortSignal },
  scope: SurveyScope,
): Promise<(step: PurgeStep, organizationKey: string) => boolean> {
  const rowsIn = await selectPlacesOfRows(database, ALL_ROWS, scope);
  const recordsIn = new Map<MentioningRecords, Set<string>>();
  for (const records of ALL_RECORDS) {
    signal.throwIfAborted();
    recordsIn.set(records, await placesOf(database, records, scope));
  }
  const filesIn = new Map<PurgeStep, ReadonlySet<string>>();
  for (const step of STEPS) if (step.findFiles) filesIn.set(step, await step.findFiles(scope));
  return (step, organizationKey) =>
    step.rows.some((rows) => rowsIn.get(rows)?.has(organizationKey)) ||
    step.records.some((records) => recordsIn.get(records)?.has(organizationKey)) ||
    filesIn.get(step)?.has(organizationKey) === true;
}

async function placesOf(database: Queryable, records: MentioningRecords, scope: SurveyScope): Promise<Set<string>> {
  const { mentions } = scope;
  const places = await selectPlacesOfRecords(database, records, scope, mentions.patterns);
  const concerned = places.filter(({ isLarge, texts }) => {
    return isLarge || texts?.some((text) => mentions.strip(text, NOTHING_KEPT) !== undefined);
  });
  return new Set(concerned.map(({ organizationKey }) => organizationKey));
}

function rowsOf({ steps }: UserDataKind): readonly UserRows[] {
  return steps.flatMap(({ rows }) => rows);
}
