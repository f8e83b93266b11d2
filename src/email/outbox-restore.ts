import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { syncDirectory, writePrivateFile } from "../config/private-file.ts";

/** Mails of a backup, which appear in the outbox together, once the rows of the backup are committed. */
export class OutboxRestore {
  readonly #folder: string;
  /** Lies next to the outbox, so that its files can be moved. One that a killed restore has left is removed. */
  readonly #temporary: string;
  #isBegun = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#temporary = `${folder}.restoring`;
  }

  /** Writes a mail where nobody reads it yet. */
  async keep(name: string, data: Uint8Array): Promise<void> {
    if (basename(name) !== name) throw new Error(`${name} cannot be the name of a mail.`);
    if (!this.#isBegun) await this.discard();
    this.#isBegun = true;
    await writePrivateFile(join(this.#temporary, name), Buffer.from(data).toString());
  }

  /** Moves the mails into the outbox. */
  async commit(): Promise<void> {
    if (!this.#isBegun) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#temporary)) {
      await rename(join(this.#temporary, name), join(this.#folder, name));
    }
    await syncDirectory(this.#folder);
    await this.discard();
  }

  /** Removes the mails that were not committed. */
  async discard(): Promise<void> {
    await rm(this.#temporary, { recursive: true, force: true });
  }
}
