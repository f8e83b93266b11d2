import { tmpdir } from "node:os";
import { join } from "node:path";
import { Outbox } from "../src/email/outbox.ts";
import { FolderStore } from "../src/files/folder-store.ts";

/** Returns the stores of jobs outside of the database, which are empty. */
export function storesIn(name: string): { outbox: Outbox; files: FolderStore } {
  const folder = join(tmpdir(), name);
  return { outbox: new Outbox(folder), files: new FolderStore(join(folder, "files")) };
}
