import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import type { Database } from "../src/database/database.ts";
import type { Trigger } from "../src/email/templates.ts";
import { type Announcement, announceByMail } from "../src/features/mails/announce.ts";
import { insertMails } from "../src/features/mails/queries.ts";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import { emailTriggersOf } from "../src/features/workspaces/email-config/email-config.ts";
import { selectEmailConfig } from "../src/features/workspaces/email-config/queries.ts";
import { startJobs } from "../src/jobs/jobs.ts";
import type { Api } from "../src/operations.ts";
import { atEnd } from "./at-end.ts";
import { SCOPE } from "./factories.ts";
import { silentLog, type TestWorkspace } from "./harness.ts";

type Settings = NonNullable<Api["/v2/workspace/emailconfig/update"]["request"]["emailServiceConfig"]>;

/** Lets the workspace send mails of these triggers, by the server's means unless `settings` names a provider. */
export function allowMails(workspace: TestWorkspace, triggers: Trigger[], settings: Settings = {}) {
  return workspace.data("/v2/workspace/emailconfig/update", {
    useEmailService: true,
    emailServiceConfig: { ...settings, triggers: Object.fromEntries(triggers.map((name) => [name, true])) },
  });
}

/** Lets it send mails of replies by a server of its own. */
export function allowMailsBy(workspace: TestWorkspace, smtpUrl: string) {
  const settings = { type: "smtp" as const, apiKey: smtpUrl, fromEmail: "notices@example.com", fromCompany: "Acme" };
  return allowMails(workspace, ["comment.add"], settings);
}

export type Announce = (
  workspace: TestWorkspace,
  fields?: Partial<Announcement>,
  beforeCommit?: () => Promise<unknown>,
) => Promise<void>;

/**
 * Announces, as a feature does in its transaction, a reply of ada's to grace, who is concerned, unless `fields` says
 * otherwise. A service on the same database sends the mails.
 */
export async function createAnnouncer(database: Database): Promise<Announce> {
  const jobs = await startJobs({ database, catalogue: [], log: silentLog });
  atEnd(() => jobs.stop());
  return ({ id, apiKey }, fields = {}, beforeCommit = async () => {}) =>
    database.transaction(async (transaction) => {
      const emailTriggers = emailTriggersOf((await selectEmailConfig(transaction, id))?.settings ?? null);
      const announcement = {
        workspace: { id, apiKey, activityServiceEnabled: true, activitiesImmutable: false, emailTriggers },
        ...SCOPE,
        trigger: "comment.add" as const,
        actor: { userId: "ada", name: "Ada Lovelace" },
        recipients: [recipient("grace")],
        about: {},
        ...fields,
      };
      await announceByMail(transaction, jobs, [announcement]);
      await beforeCommit();
    });
}

/** A mail that stays on its way, as nobody has queued it. */
export function keepMail(database: Database, workspace: TestWorkspace, organizationId: string, documentId: string) {
  const key = organizationKey(workspace.id, organizationId);
  const place = { organizationKey: key, workspaceId: workspace.id, documentId, people: ["ada"] };
  return insertMails(database, [
    { ...place, id: randomUUID(), userId: "grace", address: "grace@example.com", record: "{}" },
  ]);
}

/** Concerned, and with an address. */
export function recipient(userId: string, fields: object = {}) {
  return { userId, isConcerned: true, email: `${userId}@example.com`, ...fields };
}

/** In the order of time. */
export async function readOutbox(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, "outbox");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
  return Promise.all(names.sort().map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
}

/** The mails of the workspace that are on their way. */
export async function countMails(database: Database, workspace: TestWorkspace): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    "select count(*) as count from mails where workspace_id = $1",
    [workspace.id],
  );
  return rows[0]?.count ?? 0;
}

/** As /metrics tells it of one process. */
export async function countOutcomes(address: string, outcome: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(new RegExp(`^colloquy_mails_total\\{outcome="${outcome}"\\} (\\d+)$`, "m").exec(text)?.[1]);
}
