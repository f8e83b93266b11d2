import type { Command } from "commander";
import type { Scope } from "../contract/scopes.ts";
import { listTokens } from "../features/workspaces/auth-tokens/auth-token-queries.ts";
import { chooseWorkspace, createToken, revokeToken } from "../features/workspaces/workspaces.ts";
import {
  JSON_OPTION,
  parseExpiry,
  parseName,
  parseScopes,
  parseTokenId,
  WORKSPACE_HELP,
  WORKSPACE_OPTION,
} from "./arguments.ts";
import { formatTime, print, printJson, printTable } from "./output.ts";
import { MIGRATES_FIRST, withMigratedDatabase } from "./with-database.ts";

interface CreateOptions {
  name: string;
  workspace?: string;
  expires?: number;
  scopes?: Scope[];
  json?: true;
}

export function addTokenCommand(program: Command): void {
  const token = program
    .command("token")
    .summary("create, list and revoke auth tokens")
    .description("Creates, lists and revokes the auth tokens of a workspace.");
  addCreate(token);
  addList(token);
  addRevoke(token);
}

function addCreate(token: Command): void {
  token
    .command("create")
    .summary("create an auth token")
    .description("Creates an auth token and prints it once. The service stores only its hash.")
    .requiredOption("-n, --name <name>", "what uses the token", parseName)
    .option(WORKSPACE_OPTION, WORKSPACE_HELP)
    .option("-e, --expires <time>", "90d, 12h or 30m from now, or an ISO date; default: never", (text) =>
      parseExpiry(text),
    )
    .option("-s, --scopes <scopes>", "comma list of read, write and admin; default: all", parseScopes)
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", "\nExample:\n  $ colloquy token create --name billing --expires 90d --scopes read,write")
    .action(async (options: CreateOptions) => {
      const created = await withMigratedDatabase(async (database) => {
        const { id } = await chooseWorkspace(database, options.workspace);
        const { name, scopes, expires: expiresAt } = options;
        return createToken(database, { workspaceId: id, name, scopes, expiresAt });
      });
      if (options.json) return printJson({ ...created, expiresAt: options.expires ?? null });
      print(`Token ID    ${created.tokenId}`);
      print(`Auth token  ${created.authToken}`);
      print(`Expires     ${formatTime(options.expires ?? null, "never")}`);
      print("Save the token now. It is not shown again.");
    });
}

function addList(token: Command): void {
  token
    .command("list")
    .summary("list the auth tokens of a workspace")
    .description("Lists the auth tokens of a workspace, oldest first, without the secrets.")
    .option(WORKSPACE_OPTION, WORKSPACE_HELP)
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", "\nExample:\n  $ colloquy token list")
    .action(async (options: { workspace?: string; json?: true }) => {
      const tokens = await withMigratedDatabase(async (database) => {
        const { id } = await chooseWorkspace(database, options.workspace);
        return listTokens(database, id);
      });
      if (options.json) return printJson(tokens);
      printTable(
        ["id", "name", "ends in", "scopes", "created", "expires", "last used"],
        tokens.map(({ id, name, lastCharacters, scopes, createdAt, expiresAt, lastUsedAt }) => [
          ...[id, name, lastCharacters ?? "-", scopes.join(","), formatTime(createdAt, "-")],
          ...[formatTime(expiresAt, "never"), formatTime(lastUsedAt, "never")],
        ]),
      );
    });
}

function addRevoke(token: Command): void {
  token
    .command("revoke")
    .summary("revoke an auth token at once")
    .description("Revokes an auth token. Every process rejects it within a second.")
    .argument("<id>", "ID from `colloquy token list`", parseTokenId)
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", "\nExample:\n  $ colloquy token revoke 0f8b6c1e-5d0a-4c39-9b57-3f2a6a1d7e44")
    .action(async (id: string, options: { json?: true }) => {
      await withMigratedDatabase((database) => revokeToken(database, id));
      if (options.json) printJson({ tokenId: id, revoked: true });
      else print(`Token ${id} is revoked.`);
    });
}
