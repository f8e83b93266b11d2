import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { readConfig } from "../config/config.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { hasSecretKey } from "../config/secret-key.ts";
import { verifyReceipt } from "../features/user-data/receipts/receipt.ts";
import { readKeys } from "../service/keys.ts";
import { JSON_OPTION } from "./arguments.ts";
import { print, printJson } from "./output.ts";

export function addReceiptCommand(program: Command): void {
  program
    .command("receipt")
    .summary("verify the receipt of a user-data deletion")
    .description("Verifies receipts of deletions of users' data.")
    .command("verify")
    .summary("verify the signature of a receipt")
    .description(
      "Checks by SECRET_KEY or a key of SECRET_KEY_OLD that this service has signed the receipt in a file and that " +
        "nobody has changed it. Needs no database.",
    )
    .argument("<file>", "JSON file with the receipt and its signature")
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy receipt verify receipt.json")
    .action(async (file: string, options: { json?: true }) => {
      const config = readConfig();
      if (!(await hasSecretKey(config))) throw new ConfigurationError("SECRET_KEY is not set.");
      const { secrets } = await readKeys({ config });
      const receipt = verifyReceipt(secrets, await readFile(file, "utf8"));
      if (receipt === undefined) {
        throw new Error(`${file} is not a receipt of this service, or was changed.`);
      }
      if (options.json) printJson(receipt);
      else print(`The signature is valid.\n${JSON.stringify(receipt, null, 2)}`);
    });
}
