import type { Command } from "commander";
import { type Config, readConfig } from "../config/config.ts";
import { type Credentials, credentialsPath, readCredentials } from "../features/workspaces/credentials-file.ts";
import { JSON_OPTION } from "./arguments.ts";
import { print, printJson } from "./output.ts";

export function addEnvCommand(program: Command): void {
  program
    .command("env")
    .summary("print credentials and address as shell variables")
    .description(
      "Prints a line that exports API_KEY, AUTH_TOKEN and COLLOQUY_URL in a POSIX shell: the first workspace's " +
        "credentials, from BOOTSTRAP_API_KEY and BOOTSTRAP_AUTH_TOKEN or else from credentials.json in DATA_DIR, and " +
        "the service's address, PUBLIC_URL or else HOST and PORT.",
    )
    .option(...JSON_OPTION)
    .addHelpText("after", '\nExample:\n  $ eval "$(colloquy env)"')
    .action(async (options: { json?: true }) => {
      const config = readConfig();
      const { apiKey, authToken } = await findCredentials(config);
      const { publicUrl } = config;
      if (options.json) return printJson({ apiKey, authToken, url: publicUrl });
      const variables = { API_KEY: apiKey, AUTH_TOKEN: authToken, COLLOQUY_URL: publicUrl };
      const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quote(value)}`);
      print(`export ${assignments.join(" ")}`);
    });
}

async function findCredentials({ bootstrap, dataDir }: Config): Promise<Credentials> {
  const credentials = bootstrap ?? (await readCredentials(dataDir));
  if (credentials) return credentials;
  throw new Error(
    `There are no credentials in ${credentialsPath(dataDir)}. Run \`colloquy start\` once, copy that file from where ` +
      "a restored backup was made, set DATA_DIR to the service's, or set BOOTSTRAP_API_KEY and BOOTSTRAP_AUTH_TOKEN.",
  );
}

/** Returns the text as one word of a POSIX shell. */
function quote(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
