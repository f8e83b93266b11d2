import { expect, test } from "vitest";
import { getChecks, type Health } from "./health.ts";

const HEALTHY: Health = {
  webhooks: { endpoints: 2, failing: 0, disabled: 1 },
  mails: { refused: 0, deferred: 1 },
  requests: { requests: 1_000, errors: 6, p95Ms: 14.24 },
  disk: { freeBytes: 60, totalBytes: 100 },
  version: "0.1.0",
  lastBackupAt: Date.UTC(2026, 10, 24),
};

function getAlarming(health: Partial<Health>): string[] {
  return getChecks({ ...HEALTHY, ...health })
    .filter(({ isAlarming }) => isAlarming)
    .map(({ name }) => name);
}

test("every number has a link", () => {
  expect(getChecks(HEALTHY).map(({ value, href }) => [value, href])).toEqual([
    ["0", "/webhooks"],
    ["0", "/mails?state=rejected"],
    ["0.6%", "/requests?status=failed"],
    ["14.2 ms", "/requests"],
    ["60 bytes", "/documents"],
    ["2026-11-24", "/settings?tab=audit&action=workspace.backup"],
    ["0.1.0", "/api"],
  ]);
});

test("failing webhooks, refused mails, many errors and a full disk are alarming", () => {
  expect(getAlarming({})).toEqual([]);
  expect(getAlarming({ requests: { requests: 0, errors: 0, p95Ms: null } })).toEqual([]);
  expect(
    getAlarming({
      webhooks: { endpoints: 2, failing: 1, disabled: 0 },
      mails: { refused: 3, deferred: 0 },
      requests: { requests: 100, errors: 5, p95Ms: 1 },
      disk: { freeBytes: 9, totalBytes: 100 },
    }),
  ).toEqual(["Failing webhooks", "Refused mails (24 hours)", "Error rate (24 hours)", "Free disk"]);
});
