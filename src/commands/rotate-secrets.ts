import type { Command } from "commander";
import { readConfig } from "../config/config.ts";
import { replaceKey } from "../database/secret-key-fingerprint.ts";
import { readKeys } from "../service/keys.ts";
import { rotateSecrets } from "../service/stored-secrets.ts";
import { JSON_OPTION } from "./arguments.ts";
import { print, printJson } from "./output.ts";
import { unreadableSecrets } from "./unreadable-secrets.ts";
import { MIGRATES_FIRST, withMigratedDatabase } from "./with-database.ts";

export function addRotateSecretsCommand(program: Command): void {
  program
    .command("rotate-secrets")
    .summary("encrypt stored secrets under the current SECRET_KEY")
    .description(
      "Re-encrypts the stored secrets that are under a key of SECRET_KEY_OLD under SECRET_KEY. Can be repeated, " +
        "and can run while the service runs with the same keys. Exits with 1 if a secret is under none of the keys.",
    )
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", "\nExample:\n  $ SECRET_KEY=$NEW SECRET_KEY_OLD=$OLD colloquy rotate-secrets")
    .action(async (options: { json?: true }) => {
      const { rotated, current, unreadable } = await withMigratedDatabase(async (database) => {
        const { secrets, fingerprints } = await readKeys({ config: readConfig() });
        await replaceKey(database, fingerprints);
        return rotateSecrets(database, secrets);
      });
      if (options.json) printJson({ rotated, current, unreadable });
      else print(`Secrets re-encrypted: ${rotated}. Secrets under the current SECRET_KEY: ${current}.`);
      if (unreadable > 0) {
        const { finding, remedy } = unreadableSecrets(unreadable);
        throw new Error(`${finding} ${remedy}`);
      }
    });
}
