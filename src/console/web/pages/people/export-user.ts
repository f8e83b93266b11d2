import { ApiError } from "../../api/api-error.ts";
import type { ApiResponse, Path, RequestData, ResponseData } from "../../api/call.ts";
import type { RecordsByKind } from "../../api/records.ts";

/** A user's data in one organization, or the reason why it cannot be read. */
export type ExportedOrganization = { organizationId: string; data: RecordsByKind } | UnreadableOrganization;

interface UnreadableOrganization {
  organizationId: string;
  /** Message of the API. */
  error: string;
}

export interface Progress {
  /** Number of organizations to read. */
  total: number;
  /** Number of organizations that have been read or could not be read. */
  completed: number;
  /** Number of organizations with data. */
  organizations: number;
  records: number;
  unreadable: number;
}

interface ExportOptions {
  userId: string;
  /** Calls an operation of the API. */
  read<P extends Path>(path: P, data: RequestData<P>): Promise<ApiResponse<ResponseData<P>>>;
  onProgress: (progress: Progress) => void;
}

const CONCURRENCY = 4;

/** Reads all pages of a user's data in every organization that has any, even without a user record. */
export async function exportUser({ userId, read, onProgress }: ExportOptions): Promise<ExportedOrganization[]> {
  const exported: ExportedOrganization[] = [];
  const progress: Progress = { total: 0, completed: 0, organizations: 0, records: 0, unreadable: 0 };

  async function exportOrganization(organizationId: string): Promise<void> {
    const data: RecordsByKind = {};
    let pageToken: string | undefined;
    try {
      do {
        const page = await read("/v2/users/data/get", { organizationId, userId, pageToken });
        for (const [kind, records] of Object.entries(page.data)) {
          if (records.length > 0) data[kind] = [...(data[kind] ?? []), ...records];
          progress.records += records.length;
        }
        pageToken = page.pageToken;
      } while (pageToken !== undefined);
      if (Object.keys(data).length > 0) {
        exported.push({ organizationId, data });
        progress.organizations += 1;
      }
    } catch (error) {
      if (!isBeingDeleted(error)) throw error;
      exported.push({ organizationId, error: error.message });
      progress.unreadable += 1;
    }
    progress.completed += 1;
    onProgress({ ...progress });
  }

  const ids = await organizationIds(read, userId);
  progress.total = ids.length;
  onProgress({ ...progress });
  const waiting = ids.values();
  const worker = async () => {
    for (const id of waiting) await exportOrganization(id);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return exported.toSorted((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
}

/** Returns whether an organization cannot be read because it is being deleted. */
function isBeingDeleted(error: unknown): error is ApiError {
  return error instanceof ApiError && error.details?.reason === "organization_being_deleted";
}

async function organizationIds(read: ExportOptions["read"], userId: string): Promise<string[]> {
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await read("/v2/users/data/organizations/get", { userId, pageToken });
    ids.push(...page.data);
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  return ids;
}
