/** Paths under `/v2/` that clients of comparable services send and that may be missing. */
const COMPARABLE_PATHS = [
  ["auth/permissions/get", "what users may do"],
  ["crdt/delete", "content of collaborative documents"],
  ["livestate/broadcast", "live state of pages"],
  ["organizations/documents/access/disablestate/update", "disabling single documents"],
  ["organizations/documents/count/get", "counting documents"],
  ["organizations/documents/migrate", "moving a document's data to another ID"],
  ["organizations/documents/migrate/status", "the state of such a move"],
  ["users/count/get", "counting users"],
  ["users/documents/get", "the documents of users"],
  ["workspace/advancedwebhook/endpoints/create", "webhooks"],
  ["workspace/advancedwebhook/endpoints/delete", "webhooks"],
  ["workspace/advancedwebhook/endpoints/get", "webhooks"],
  ["workspace/advancedwebhook/endpoints/secret/get", "webhooks"],
  ["workspace/advancedwebhook/endpoints/update", "webhooks"],
  ["workspace/advancedwebhookconfig/get", "webhooks"],
  ["workspace/advancedwebhookconfig/update", "webhooks"],
  ["workspace/notificationconfig/get", "delays and batches of notifications"],
  ["workspace/notificationconfig/update", "delays and batches of notifications"],
  ["workspace/webhookconfig/get", "webhooks"],
  ["workspace/webhookconfig/update", "webhooks"],
] as const;

/** The same for operations that exist only under `/v1/`. */
const COMPARABLE_V1_PATHS = [
  ["organizations/documents/locations/data/delete", "the data of a location"],
  ["organizations/documents/locations/update", "replacing a location"],
] as const;

/** Returns the table of the paths that comparable services have and these operations do not. */
export function missingOperationsTable(paths: ReadonlySet<string>): string {
  const rows = [
    ...COMPARABLE_PATHS.filter(([path]) => !paths.has(`/v2/${path}`)).map(
      ([path, about]) => `| \`${path}\` | ${about} |`,
    ),
    ...COMPARABLE_V1_PATHS.filter(([path]) => !paths.has(`/v1/${path}`)).map(
      ([path, about]) => `| \`${path}\` (v1) | ${about} |`,
    ),
  ];
  return ["| path | what it is about |", "| --- | --- |", ...rows].join("\n");
}
