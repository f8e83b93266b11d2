import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import type { Database } from "../src/database/database.ts";
import { sql, uuid } from "../src/database/sql.ts";
import type { MailTrigger } from "../src/email/templates.ts";
import { insertNewAnnotations } from "../src/features/comments/annotations/new-annotations.ts";
import { insertMails } from "../src/features/mails/mail-queries.ts";
import { type MailedEvent, queueMails } from "../src/features/mails/queue-mails.ts";
import { openOrganization } from "../src/features/tenancy/organization-scope.ts";
import { insertMissing, selectExistence } from "../src/features/tenancy/tenancy-queries.ts";
import { getEmailTriggers } from "../src/features/workspaces/email-config/email-config.ts";
import { selectEmailConfig } from "../src/features/workspaces/email-config/email-config-queries.ts";
import { openJobs } from "../src/jobs/jobs.ts";
import type { Api } from "../src/operations.ts";
import { registerCleanup } from "./cleanup.ts";
import { SCOPE } from "./factories.ts";
import { silentLog, type TestWorkspace } from "./harness.ts";
import { WORKSPACE } from "./workspace.ts";

type Settings = NonNullable<Api["/v2/workspace/emailconfig/update"]["request"]["emailServiceConfig"]>;

/** Turns on mails of these triggers, sent by the service's own server unless `settings` names a provider. */
export function allowMails(workspace: TestWorkspace, triggers: MailTrigger[], settings: Settings = {}) {
  return workspace.data("/v2/workspace/emailconfig/update", {
    useEmailService: true,
    emailServiceConfig: { ...settings, triggers: Object.fromEntries(triggers.map((name) => [name, true])) },
  });
}

/** Turns on mails of replies, sent by a server of the workspace. */
export function allowReplyMails(workspace: TestWorkspace, smtpUrl: string) {
  const settings = { type: "smtp" as const, apiKey: smtpUrl, fromEmail: "notices@example.com", fromCompany: "Acme" };
  return allowMails(workspace, ["comment.add"], settings);
}

export type QueueMail = (
  workspace: TestWorkspace,
  fields?: Partial<MailedEvent & { organizationId: string; commentText: string }>,
  beforeCommit?: () => Promise<unknown>,
) => Promise<void>;

/**
 * Creates a function that queues the mails about an event in a transaction: by default about a reply of ada to grace,
 * who is concerned. Adds the annotation of the event if missing, with a comment if there is a `commentText`. A service
 * on the same database sends the mails.
 */
export async function openMailQueue(database: Database): Promise<QueueMail> {
  const jobs = await openJobs({ database, definitions: [], log: silentLog });
  registerCleanup(() => jobs.stop());
  return ({ id, apiKey }, fields = {}, beforeCommit = async () => {}) =>
    database.transaction(async (transaction) => {
      const emailTriggers = getEmailTriggers((await selectEmailConfig(transaction, id))?.settings ?? null);
      const { organizationId = SCOPE.organizationId, commentText, ...given } = fields;
      const comment = commentText === undefined ? [] : [{ commentId: 1, from: { userId: "ada" }, commentText }];
      const event = {
        documentId: SCOPE.documentId,
        annotationId: given.documentId === undefined ? "a" : `a in ${given.documentId}`,
        trigger: "comment.add" as const,
        actor: { userId: "ada", name: "Ada Lovelace" },
        recipients: [recipient("grace")],
        about: {},
        ...(commentText !== undefined && { commentId: 1 }),
        ...given,
      };
      const workspace = { ...WORKSPACE, id, apiKey, emailTriggers };
      const scope = openOrganization(transaction, workspace, organizationId);
      await insertMissing(scope, undefined, await selectExistence(scope, undefined));
      await insertNewAnnotations(scope, event.documentId, [{ annotationId: event.annotationId, commentData: comment }]);
      await queueMails(scope, jobs, [[event]]);
      await beforeCommit();
    });
}

/** Inserts a mail that stays unsent, since it has no job. */
export function insertUnsentMail(
  database: Database,
  workspace: TestWorkspace,
  organizationId: string,
  documentId: string,
) {
  const others = { otherUserIds: ["ada"], annotationIds: [], triggers: ["comment.add"] };
  return insertMails(openOrganization(database, workspace, organizationId), [
    { ...others, documentId, id: randomUUID(), userId: "grace", address: "grace@example.com", record: "{}" },
  ]);
}

/** Returns a concerned recipient with an address. */
export function recipient(userId: string, fields: object = {}) {
  return { userId, isConcerned: true, email: `${userId}@example.com`, ...fields };
}

/** Reads the mails in the outbox, oldest first. */
export async function readOutbox(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, "outbox");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
  return Promise.all(names.sort().map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
}

/** Counts the unsent mails of the workspace. */
export async function countMails(database: Database, workspace: TestWorkspace): Promise<number> {
  const [row] = await database.run(
    sql<{ count: number }>`select count(*) as count from mails where workspace_id = ${uuid(workspace.id)}`,
  );
  return row?.count ?? 0;
}

/** Reads the count of an outcome in the metrics of one process. */
export async function countOutcomes(address: string, outcome: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(new RegExp(`^colloquy_mails_total\\{outcome="${outcome}"\\} (\\d+)$`, "m").exec(text)?.[1]);
}
