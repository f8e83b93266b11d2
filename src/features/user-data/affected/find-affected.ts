import type { OrganizationKey } from "../../../database/keys.ts";
import type { FileSearch, MentioningRecords, PurgeStep, UserDataKind, UserRows } from "../../purge/user-data-kind.ts";
import type { CrossTenantScope } from "../../tenancy/organization-scope.ts";
import { PURGED_OR_EXPORTED_KINDS } from "../kinds.ts";
import {
  selectOrganizationsWithRecords,
  selectOrganizationsWithRows,
  type UsersInOrganizations,
} from "./affected-organization-queries.ts";

const STEPS = PURGED_OR_EXPORTED_KINDS.flatMap(({ steps }) => steps);
const ALL_ROWS = [...new Set(STEPS.flatMap(({ rows }) => rows))];
const ALL_RECORDS = [...new Set(STEPS.flatMap(({ records }) => records))];
const ALL_WITH_ADDRESSES = PURGED_OR_EXPORTED_KINDS.filter(({ findAddresses }) => findAddresses);
const ROWS_WITH_ADDRESSES = [...new Set(ALL_WITH_ADDRESSES.flatMap(getRowsWithAddresses))];

/** Users to look for in many organizations, which share a few statements. */
export interface AffectedSearch extends UsersInOrganizations, FileSearch {}

/** Finds where the users have rows of a kind that name their addresses. */
export async function findOwnAddresses(
  scope: CrossTenantScope,
  users: UsersInOrganizations,
): Promise<(kind: UserDataKind, organizationKey: OrganizationKey) => boolean> {
  const found = await selectOrganizationsWithRows(scope, ROWS_WITH_ADDRESSES, users);
  return (kind, organizationKey) => getRowsWithAddresses(kind).some((rows) => found.get(rows)?.has(organizationKey));
}

/** Finds the organizations in which the users have rows of any kind. */
export async function findOwnRows(
  scope: CrossTenantScope,
  users: UsersInOrganizations,
): Promise<(organizationKey: OrganizationKey) => boolean> {
  const found = [...(await selectOrganizationsWithRows(scope, ALL_ROWS, users)).values()];
  return (organizationKey) => found.some((keys) => keys.has(organizationKey));
}

/** Finds the steps that may have something to do in an organization. Any other step has nothing to do there. */
export async function findAffected(
  scope: CrossTenantScope,
  search: AffectedSearch,
  signal: AbortSignal,
): Promise<(step: PurgeStep, organizationKey: OrganizationKey) => boolean> {
  const rowsIn = await selectOrganizationsWithRows(scope, ALL_ROWS, search);
  const recordsIn = new Map<MentioningRecords, Set<OrganizationKey>>();
  for (const records of ALL_RECORDS) {
    signal.throwIfAborted();
    recordsIn.set(records, await findMentioning(scope, records, search));
  }
  const filesIn = new Map<PurgeStep, ReadonlySet<OrganizationKey>>();
  for (const step of STEPS) if (step.findFiles) filesIn.set(step, await step.findFiles(search, scope));
  return (step, organizationKey) =>
    step.rows.some((rows) => rowsIn.get(rows)?.has(organizationKey)) ||
    step.records.some((records) => recordsIn.get(records)?.has(organizationKey)) ||
    filesIn.get(step)?.has(organizationKey) === true;
}

async function findMentioning(
  scope: CrossTenantScope,
  records: MentioningRecords,
  search: AffectedSearch,
): Promise<Set<OrganizationKey>> {
  const { mentions } = search;
  const found = await selectOrganizationsWithRecords(scope, records, search, mentions.patterns);
  const affected = found.filter(({ isLarge, texts }) => {
    return isLarge || texts?.some((text) => mentions.areIn(text));
  });
  return new Set(affected.map(({ organizationKey }) => organizationKey));
}

function getRowsWithAddresses({ steps, namingRows = [] }: UserDataKind): readonly UserRows[] {
  return [...steps.flatMap(({ rows }) => rows), ...namingRows];
}
