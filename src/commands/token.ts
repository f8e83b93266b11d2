import type { Command } from "commander";
import { listTokens } from "../features/workspaces/queries.ts";
import { chooseWorkspace, createToken, revokeToken } from "../features/workspaces/workspaces.ts";
import { JSON_OPTION, parseExpiry, parseName, parseTokenId, WORKSPACE_OPTION } from "./arguments.ts";
import { formatTime, print, printJson, printTable } from "./output.ts";
import { withDatabase } from "./with-database.ts";

const WORKSPACE_HELP = "whose token; may be left out where there is one workspace only";

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
    .summary("make an auth token")
    .description("Makes an auth token and prints it. It is not shown again.")
    .requiredOption("-n, --name <name>", "what uses it, to know it by in the list", parseName)
    .option(WORKSPACE_OPTION, WORKSPACE_HELP)
    .option("-e, --expires <time>", "90d, 12h, 30m from now, or an ISO date; never when left out", (text) =>
      parseExpiry(text),
    )
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy token create --name billing --expires 90d")
    .action(async (options: { name: string; workspace?: string; expires?: number; json?: true }) => {
      const made = await withDatabase(async (database) => {
        const { id } = await chooseWorkspace(database, options.workspace);
        return createToken(database, { workspaceId: id, name: options.name, expiresAt: options.expires });
      });
      if (options.json) return printJson({ ...made, expiresAt: options.expires ?? null });
      print(`Token id    ${made.tokenId}`);
      print(`Auth token  ${made.authToken}`);
      print(`Expires     ${formatTime(options.expires ?? null, "never")}`);
      print("Keep the token: it is not shown again.");
    });
}

function addList(token: Command): void {
  token
    .command("list")
    .summary("list the auth tokens of a workspace")
    .description("Lists the auth tokens of a workspace, the oldest first, without their secret.")
    .option(WORKSPACE_OPTION, WORKSPACE_HELP)
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy token list")
    .action(async (options: { workspace?: string; json?: true }) => {
      const tokens = await withDatabase(async (database) => {
        const { id } = await chooseWorkspace(database, options.workspace);
        return listTokens(database, id);
      });
      if (options.json) return printJson(tokens);
      printTable(
        ["id", "name", "created", "expires", "last used"],
        tokens.map(({ id, name, createdAt, expiresAt, lastUsedAt }) => [
          ...[id, name, formatTime(createdAt, "-")],
          ...[formatTime(expiresAt, "never"), formatTime(lastUsedAt, "never")],
        ]),
      );
    });
}

function addRevoke(token: Command): void {
  token
    .command("revoke")
    .summary("revoke an auth token at once")
    .description("Revokes an auth token: every running server refuses it from now on.")
    .argument("<id>", "as `colloquy token list` prints it", parseTokenId)
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy token revoke 0f8b6c1e-5d0a-4c39-9b57-3f2a6a1d7e44")
    .action(async (id: string, options: { json?: true }) => {
      await withDatabase((database) => revokeToken(database, id));
      if (options.json) printJson({ tokenId: id, revoked: true });
      else print(`Token ${id} is revoked.`);
    });
}
