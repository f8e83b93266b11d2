import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { writePrivateFile } from "../private-file.ts";
import { type Mail, messageOf } from "./message.ts";

/** Whom a file of the outbox concerns, so that it can be found without reading what it says. */
export interface OutboxMark {
  /** 32 hexadecimal digits. */
  organizationKey: string;
  /** User keys of the recipient and of everybody that the mail speaks of. */
  people: string[];
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: "unix" });
const PEOPLE_HEADER = "X-Colloquy-People";
/** Stands in the name of a file in place of the organization: no workspace may see such a mail. */
const OF_NO_WORKSPACE = "service";

/** Where mails go while there is no mail server: a file each, readable by its owner only, that mail programs open. */
export class Outbox {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The whole file is there or none of it; a mail that is kept again overwrites itself. */
  async keep(mail: Mail, mark: OutboxMark | undefined): Promise<void> {
    const { message: content } = await composer.sendMail({ ...messageOf(mail), textEncoding: "quoted-printable" });
    const people = mark ? `${PEOPLE_HEADER}: ${mark.people.join("\n ")}\n` : "";
    const name = `${nameOf(mail.createdAt)}-${mark?.organizationKey ?? OF_NO_WORKSPACE}-${mail.id}.eml`;
    await writePrivateFile(join(this.#folder, name), `${people}${String(content)}`);
  }

  /**
   * Removes the mails of an organization, made up to `until` (milliseconds since the epoch), whose text `concerns` says
   * so; the keys of the people are in it. Returns how many files that were.
   */
  async erase(organizationKey: string, until: number, concerns: (text: string) => boolean): Promise<number> {
    const names = await readdir(this.#folder).catch(() => []);
    const own = names.filter((name) => name.includes(organizationKey) && name.slice(0, TIME_LENGTH) <= nameOf(until));
    let erased = 0;
    for (const name of own) {
      const path = join(this.#folder, name);
      if (!concerns(decode(await readFile(path, "latin1").catch(() => "")))) continue;
      await rm(path, { force: true });
      erased++;
    }
    return erased;
  }
}

/** What a file's name begins with; of one length, so that the names are in the order of time. */
function nameOf(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[:.]/g, "-");
}

const TIME_LENGTH = nameOf(0).length;

/** Of quoted-printable, in which a file is ASCII throughout. */
function decode(file: string): string {
  const bytes = file
    .replace(/=\r?\n/g, "")
    .replace(/=([\dA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
