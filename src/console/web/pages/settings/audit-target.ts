import type { AuditEntry } from "../../api/records.ts";

type Target = AuditEntry["target"];

const TARGET_LABELS: Record<string, string> = {
  automaticVersionDays: "Days of automatic versions",
  automaticVersionMinutes: "Minutes between automatic versions",
  backupId: "Backup",
  createdAt: "As of",
  documentId: "Document",
  endpointId: "Endpoint",
  domains: "Domains",
  accessType: "Access type",
  defaultDocumentAccessType: "Default access type",
  enablePrivateComments: "Private comments enabled",
  isContextEnabled: "Access contexts compared",
  showUserEmails: "Addresses shown to users",
  requireAutoOrgUser: "Users of tokens become editors",
  requireJwtToken: "User tokens required in pages",
  documentIds: "Documents",
  fields: "Settings",
  folderId: "Folder",
  folderIds: "Folders",
  isEnabled: "Enabled",
  issuer: "Issuer",
  jobId: "Job",
  jwksUrl: "URL of the signing keys",
  newDocumentId: "New document ID",
  newTokenId: "New token ID",
  organizationId: "Organization",
  organizationIds: "Organizations",
  parentFolderIds: "New parent folders",
  scopes: "Scopes",
  sessionIds: "Session IDs",
  tokenId: "Token ID",
  tokenIds: "Token IDs",
  tokenName: "Token",
  tokenNames: "Tokens",
  users: "Users",
};

/** The settings of the API that an act changed, as their forms call them. */
export const SETTING_LABELS: Record<string, string> = {
  apiKey: "provider key",
  audience: "audience",
  audienceClaim: "claim of the audience",
  authToken: "auth token of the receiver",
  batchConfig: "digests",
  channels: "channels",
  claims: "claims",
  commentTemplateId: "template of comments",
  defaultRole: "default role",
  delayConfig: "delay",
  description: "description",
  disabled: "state",
  enableDataProtection: "protection of data",
  enabledTime: "time when it was turned on",
  encodeData: "encoding",
  encryptData: "encryption",
  filterTypes: "events",
  fromCompany: "sender name",
  fromEmail: "sender address",
  immutable: "editing of activities",
  isEnabled: "turned on or off",
  issuer: "issuer",
  jwksUrl: "URL of the signing keys",
  metadata: "metadata",
  processedNotificationUrl: "URL of processed notifications",
  publicKey: "public key",
  rateLimit: "rate limit",
  rawNotificationUrl: "URL of raw notifications",
  roles: "roles",
  tagTemplateId: "template of mentions",
  triggers: "events",
  type: "provider",
  url: "URL",
  useEmailService: "turned on or off",
  useNotificationService: "turned on or off",
  useWebhookService: "turned on or off",
};

const STATE = "State";
const ORGANIZATIONS = new Set(["organizationId", "organizationIds"]);

/** Returns the target of an act in words: name and value of each field, with organizations by name. */
export function targetFacts(
  target: Target,
  toOrganizationName: (id: string) => string,
): [name: string, value: string][] {
  return Object.entries(target).map(([field, value]) => {
    if (field === "disabled") return [STATE, value === true ? "Disabled" : "Enabled"];
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    const toText = (text: string) => (field === "fields" ? (SETTING_LABELS[text] ?? text) : text);
    const shown = texts.map(ORGANIZATIONS.has(field) ? toOrganizationName : toText);
    return [TARGET_LABELS[field] ?? field, shown.join(", ")];
  });
}

/** IDs that nobody recognizes, which only the details of an entry show. A token has its name beside them. */
const UNLISTED = new Set(
  ["endpointId", "jobId", "newTokenId", "sessionIds", "tokenId", "tokenIds"].map((field) => TARGET_LABELS[field]),
);

/** Returns the target of an act in words, such as `Documents: contract-7, contract-8`: one text for each field. */
export function targetTexts(target: Target, toOrganizationName: (id: string) => string): string[] {
  const listed = targetFacts(target, toOrganizationName).filter(([name]) => !UNLISTED.has(name));
  return listed.map(([name, value]) => (name === STATE ? value : `${name}: ${value}`));
}

/** Returns the IDs of the organizations in the target of an act. */
export function getOrganizationIds(target: Target): string[] {
  const values = Object.entries(target).filter(([field]) => ORGANIZATIONS.has(field));
  return values.flatMap(([, value]) => (Array.isArray(value) ? value.map(String) : [String(value)]));
}
