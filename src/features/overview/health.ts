import Type from "typebox";
import type { Context } from "../../contract/operation.ts";
import { selectRequestCounts } from "../request-log/request-log-queries.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { DAY_MS } from "./calendar.ts";
import { countEndpoints, countFailedMails, countFailedWorkspaceMails, selectLastBackup } from "./health-queries.ts";

const Count = Type.Integer({ minimum: 0 });
const OrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

/** Schema of what may need attention. Disk, version and backup refer to the whole service. */
export const Health = Type.Object(
  {
    webhooks: Type.Object({ endpoints: Count, failing: Count, disabled: Count }),
    mails: Type.Object({ refused: Count, deferred: Count }, { description: "Queued in the last 24 hours." }),
    requests: Type.Object(
      { requests: Count, errors: Count, p95Ms: OrNull("95th percentile of the durations; null without requests.") },
      { description: "In the request log, of the last 24 hours." },
    ),
    disk: Type.Object({ freeBytes: Count, totalBytes: Count }, { description: "The disk of `DATA_DIR`." }),
    version: Type.String(),
    lastBackupAt: OrNull("Milliseconds since the epoch. Null if the audit log has no backup."),
  },
  { title: "Health" },
);

export const HEALTH_EXAMPLE = {
  webhooks: { endpoints: 2, failing: 1, disabled: 0 },
  mails: { refused: 3, deferred: 0 },
  requests: { requests: 9_500, errors: 12, p95Ms: 14.2 },
  disk: { freeBytes: 21_474_836_480, totalBytes: 53_687_091_200 },
  version: "0.1.0",
  lastBackupAt: 1_795_474_800_000,
};

/** Reads what may need attention: webhooks, mails, errors, disk and backups. */
export async function readHealth({ database, workspace: { id }, host }: Context) {
  const now = Date.now();
  const [webhooks, toUsers, others, counts, disk, lastBackupAt] = await Promise.all([
    countEndpoints(database, id),
    countFailedMails(acrossOrganizations(database), id, DAY_MS),
    countFailedWorkspaceMails(database, id, DAY_MS),
    selectRequestCounts(database, id, { from: now - DAY_MS, to: now + 1 }, 1),
    host.readDisk(),
    selectLastBackup(database, id),
  ]);
  const { requests = 0, errors = 0, p95Ms = null } = counts ?? {};
  const mails = { refused: toUsers.refused + others.refused, deferred: toUsers.deferred + others.deferred };
  return { webhooks, mails, requests: { requests, errors, p95Ms }, disk, version: host.version, lastBackupAt };
}
