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

/** Where mails go while there is no mail server: a file each, readable by its owner only, that mail programs open. */
export class Outbox {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The whole file is there or none of it; a mail that is kept again overwrites itself. */
  async keep(mail: Mail, { organizationKey, people }: OutboxMark): Promise<void> {
    const { message: content } = await composer.sendMail(messageOf(mail));
    const text = `${PEOPLE_HEADER}: ${people.join("\n ")}\n${String(content)}`;
    const time = new Date(mail.createdAt).toISOString().replace(/[:.]/g, "-");
    await writePrivateFile(join(this.#folder, `${time}-${organizationKey}-${mail.id}.eml`), text);
  }

  /** Removes what concerns any of the users of the organization. Returns how many files that were. */
  async erase({ organizationKey, people }: OutboxMark): Promise<number> {
    const names = await readdir(this.#folder).catch(() => []);
    let erased = 0;
    for (const name of names.filter((file) => file.includes(organizationKey))) {
      const path = join(this.#folder, name);
      const text = await readFile(path, "utf8").catch(() => "");
      const [head = ""] = text.split(/\n(?! )/, 1);
      if (!people.some((userKey) => head.includes(userKey))) continue;
      await rm(path, { force: true });
      erased++;
    }
    return erased;
  }
}
