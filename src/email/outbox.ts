import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Address, type Email } from "postal-mime";
import { readPrivateFile, writePrivateFile } from "../config/private-file.ts";
import { type OrganizationKey, toOrganizationKey, type UserKey } from "../database/keys.ts";
import { AHEAD_MS } from "../database/time.ts";
import { type Mail, toSendMailOptions } from "./message.ts";
import { OutboxRestore } from "./outbox-restore.ts";

/** Identifies whom a file of the outbox concerns, so that it can be found without reading it. */
export interface OutboxMark {
  /** Workspace whose callers may read the mail. */
  workspaceId: string;
  /** Undefined if the mail belongs to no organization. */
  organizationKey?: OrganizationKey;
  /** User keys of the recipient and of every user whom the mail mentions. */
  userKeys: UserKey[];
}

/** A mail of a workspace, parsed from the name of its file. */
export interface OutboxEntry {
  /** Id of the mail. */
  id: string;
  /** Name of the file. Names sort by time. */
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  organizationKey: OrganizationKey | undefined;
}

/** Headers; addresses have the form `Ada Lovelace <ada@example.com>`. */
export interface OutboxHeaders {
  from: string;
  to: string;
  subject: string;
}

export interface OutboxMail extends OutboxHeaders {
  text: string;
  html: string;
}

/** An organization, or the workspace of mails that belong to no organization. */
type OutboxOwner = { organizationKey: OrganizationKey } | { workspaceId: string };

const PEOPLE_HEADER = "X-Colloquy-People";
/** Replaces the workspace in the name of a file that only the operator may see. */
const OF_NO_WORKSPACE = "service";
const UUID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
const ORGANIZATION_KEY = /(?<![\da-f])[\da-f]{32}(?![\da-f])/g;
const OWNED_NAME = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d)-(\\d\\d)-(\\d\\d)-(\\d{3})Z-(${UUID})-(?:([\\da-f]{32})-)?(${UUID})\\.eml$`,
);

/** Stores mails while there is no mail server: one file each, readable by its owner only, that mail programs open. */
export class Outbox {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes a mail atomically. Writing the same mail again overwrites it. */
  async keep(mail: Mail, mark: OutboxMark | undefined): Promise<void> {
    const content = await getContent(mail);
    const userKeys = mark ? `${PEOPLE_HEADER}: ${mark.userKeys.join("\n ")}\n` : "";
    const owner = mark ? [mark.workspaceId, mark.organizationKey].filter(Boolean).join("-") : OF_NO_WORKSPACE;
    const name = `${timeName(mail.createdAt)}-${owner}-${mail.id}.eml`;
    await writePrivateFile(join(this.#folder, name), `${userKeys}${content}`);
  }

  /** Lists the mails of a workspace on this server, newest first. */
  async list(workspaceId: string): Promise<OutboxEntry[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const entries = names.filter((name) => name.startsWith(workspaceId, TIME_LENGTH + 1)).map(getEntry);
    return entries.filter((entry) => entry !== undefined).sort((a, b) => (a.name < b.name ? 1 : -1));
  }

  /** Reads the headers of a mail; returns undefined if it has been deleted since. */
  async readHeaders({ name }: OutboxEntry): Promise<OutboxHeaders | undefined> {
    const file = await this.#read(name);
    return file === undefined ? undefined : buildHeaders(await PostalMime.parse(`${file.split("\n\n", 1)[0]}\n\n`));
  }

  /** Reads a mail; returns undefined if it has been deleted since. */
  async read({ name }: OutboxEntry): Promise<OutboxMail | undefined> {
    const file = await this.#read(name);
    if (file === undefined) return undefined;
    const mail = await PostalMime.parse(file);
    return { ...buildHeaders(mail), text: mail.text ?? "", html: mail.html ?? "" };
  }

  /** Yields all files, for a backup. Skips those that are deleted meanwhile. */
  async *files(): AsyncGenerator<{ name: string; data: Buffer }> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(".eml")).sort()) {
      const file = await this.#read(name);
      if (file !== undefined) yield { name, data: Buffer.from(file) };
    }
  }

  /** Begins to restore the files of a backup. */
  restore(): OutboxRestore {
    return new OutboxRestore(this.#folder);
  }

  /** Returns those of the organizations that have files which `purge` checks. */
  async findOrganizations(organizationKeys: OrganizationKey[], until: number): Promise<OrganizationKey[]> {
    const written = await this.#writtenUntil(until);
    const owners = new Set<string>(written.flatMap((name) => name.match(ORGANIZATION_KEY) ?? []));
    return organizationKeys.filter((key) => owners.has(key));
  }

  /**
   * Purges the mails of an organization, or those of a workspace that belong to no organization, written until `until`
   * (milliseconds since the epoch) and for which `concerns` returns true. Returns the number of files.
   */
  async purge(owner: OutboxOwner, until: number, concerns: (text: string) => boolean): Promise<number> {
    let purged = 0;
    for (const name of await this.#writtenUntil(until)) {
      const file = isOwner(owner, name) ? await this.#read(name) : undefined;
      if (file === undefined || !concerns(getText(await PostalMime.parse(file)))) continue;
      await rm(join(this.#folder, name), { force: true });
      purged++;
    }
    return purged;
  }

  /** Purges the mails of an organization written until `until` (milliseconds since the epoch). */
  async purgeOrganization(organizationKey: OrganizationKey, until: number): Promise<void> {
    const own = (await this.#writtenUntil(until)).filter((name) => name.includes(organizationKey));
    for (const name of own) await rm(join(this.#folder, name), { force: true });
  }

  /** Returns the files written until a time, and those written while the clock was ahead. */
  async #writtenUntil(time: number): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const [end, ahead] = [timeName(time), timeName(Date.now() + AHEAD_MS)];
    return names.filter((name) => {
      const writtenAt = name.slice(0, TIME_LENGTH);
      return writtenAt <= end || writtenAt > ahead;
    });
  }

  #read(name: string): Promise<string | undefined> {
    return readPrivateFile(join(this.#folder, name));
  }
}

async function getContent(mail: Mail): Promise<string> {
  // Imported with the first mail, because it takes 5 MB of memory.
  const { createTransport } = await import("nodemailer");
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  const { message } = await composer.sendMail({ ...toSendMailOptions(mail), textEncoding: "quoted-printable" });
  return String(message);
}

function isOwner(owner: OutboxOwner, name: string): boolean {
  if ("organizationKey" in owner) return name.includes(owner.organizationKey);
  const { workspaceId } = owner;
  const entry = name.startsWith(workspaceId, TIME_LENGTH + 1) ? getEntry(name) : undefined;
  return entry !== undefined && entry.organizationKey === undefined;
}

/** Parses the name of a file. Returns undefined if its mail belongs to no workspace. */
function getEntry(name: string): OutboxEntry | undefined {
  const [, day, hours, minutes, seconds, milliseconds, , key, id] = OWNED_NAME.exec(name) ?? [];
  if (id === undefined) return undefined;
  const createdAt = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
  return { id, name, createdAt, organizationKey: key === undefined ? undefined : toOrganizationKey(key) };
}

function buildHeaders({ from, to, subject }: Pick<Email, "from" | "to" | "subject">): OutboxHeaders {
  return { from: from ? addressText(from) : "", to: (to ?? []).map(addressText).join(", "), subject: subject ?? "" };
}

function addressText({ name, address = "" }: Address): string {
  return name ? `${name} <${address}>` : address;
}

/** Returns the start of a file's name. It has a fixed length, so that names sort by time. */
function timeName(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[:.]/g, "-");
}

const TIME_LENGTH = timeName(0).length;

/** Returns everything that a mail says, decoded: its headers, its text and its HTML. */
function getText(mail: Email): string {
  const headers = mail.headers.map(({ value }) => value);
  return [...headers, ...Object.values(buildHeaders(mail)), mail.text, mail.html].join("\n");
}
