import { formatBytes, formatCount, formatShare, pluralize } from "../../components/numbers.ts";
import type { Overview } from "./overview.ts";

export type Health = Overview["health"];

/** A number that may need attention. */
export interface Check {
  name: string;
  value: string;
  note: string;
  /** Page of the console that explains it. */
  href: string;
  isAlarming: boolean;
}

/** Share of failed requests, and of free disk, from which they are alarming. */
const MANY_ERRORS = 0.05;
const LITTLE_DISK = 0.1;

/** Returns what the overview shows first. */
export function getChecks({ webhooks, mails, requests, disk, version, lastBackupAt }: Health): Check[] {
  const errorRate = requests.requests === 0 ? 0 : requests.errors / requests.requests;
  return [
    {
      name: "Failing webhooks",
      value: formatCount(webhooks.failing),
      note: `of ${pluralize(webhooks.endpoints, "endpoint")}, ${formatCount(webhooks.disabled)} disabled`,
      href: "/webhooks",
      isAlarming: webhooks.failing > 0,
    },
    {
      name: "Refused mails (24 hours)",
      value: formatCount(mails.refused),
      note: `${formatCount(mails.deferred)} deferred`,
      href: "/mails?state=rejected",
      isAlarming: mails.refused > 0,
    },
    {
      name: "Error rate (24 hours)",
      value: formatShare(errorRate),
      note: `${formatCount(requests.errors)} of ${pluralize(requests.requests, "request")}`,
      href: "/requests?status=failed",
      isAlarming: errorRate >= MANY_ERRORS,
    },
    {
      name: "Latency",
      value: requests.p95Ms === null ? "–" : `${requests.p95Ms.toFixed(1)} ms`,
      note: "95th percentile",
      href: "/requests",
      isAlarming: false,
    },
    {
      name: "Free disk",
      value: formatBytes(disk.freeBytes),
      note: `of ${formatBytes(disk.totalBytes)}`,
      href: "/documents",
      isAlarming: disk.freeBytes < disk.totalBytes * LITTLE_DISK,
    },
    {
      name: "Last backup",
      value: lastBackupAt === null ? "None" : new Date(lastBackupAt).toISOString().slice(0, 10),
      note: "by colloquy backup",
      href: "/settings?tab=audit&action=workspace.backup",
      isAlarming: false,
    },
    { name: "Version", value: version, note: "of the service", href: "/api", isAlarming: false },
  ];
}
