import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { documentFaults, type Project } from "./documentation/names.ts";

function inventedProgram(): Command {
  const program = new Command("colloquy").version("1.0.0");
  program.command("start");
  const token = program.command("token");
  token.command("create").requiredOption("-n, --name <name>").option("--json");
  token.command("revoke").argument("<id>");
  return program;
}

const PROJECT: Project = {
  scripts: new Set(["start", "bench", "colloquy", "example:team"]),
  program: inventedProgram(),
  variables: new Set(["PORT", "DATA_DIR", "MAIL_FROM", "MAIL_TO"]),
  statuses: new Set(["NOT_FOUND"]),
  operationPaths: new Set(["/v1/books/get", "/v2/books/get"]),
  paths: new Set(["README.md", "docs", "docs/books.md", "src", "src/main.js", "src/http", "src/http/server.ts"]),
  ignored: new Set(["data"]),
  documents: new Map([["docs/books.md", "# Books, and `more` of them\n"]]),
};

function faultsOf(markdown: string, path = "README.md"): string[] {
  return documentFaults(path, markdown, PROJECT);
}

function block(...lines: string[]): string {
  return ["```sh", ...lines, "```", ""].join("\n");
}

describe("what is there may be named", () => {
  test.each([
    [
      "npm's own commands and the scripts",
      "`npm ci && npm start`, then npm run bench, or `npm run example:team -- x`.",
    ],
    ["a placeholder for a script", "`npm run <script>`"],
    ["the name of the product", "colloquy is a service; Colloquy start is no command outside of code."],
    [
      "a command",
      block("$ PORT=1 npx colloquy start  # the service", "sudo colloquy token create -n 'a' --json > token"),
    ],
    [
      "a command by npm or node",
      "`npm run colloquy -- token revoke 5`, `npm run colloquy token`, `node src/main.js start`",
    ],
    ["a command over two lines", block("colloquy token \\", "  create --name=a --json")],
    ["help, version and placeholders", "`colloquy --help`, `colloquy help token`, `colloquy -V`, `colloquy <command>`"],
    ["colloquy as a value", "`pg_dump -U colloquy books`, `postgresql://host/colloquy`"],
    ["a variable, a status, some variables", "`PORT`, `DATA_DIR` and `MAIL_*` are read; NOT_FOUND is answered."],
    ["a variable of the shell's own", block('MY_KEY=5 && curl -H "key: $MY_KEY"')],
    [
      "an operation and a family of them",
      "`/v2/books/get`, /v1/books/get, `http://127.0.0.1/v2/books/get`, `/v2/books/*`",
    ],
    ["the operation of another service", "[like theirs](https://example.com/v2/shelves/get)"],
    ["files and folders", "`src/http/server.ts`, `src/http/`, `./docs/books.md`, `server.ts`, `DATA_DIR/secret.sh`"],
    ["what is made on each machine", "`data/credentials.json`"],
    ["what is no path", "`a/b`, `text/plain`, `example.com`"],
    [
      "links",
      "[a](docs/books.md) [b](docs/books.md#books-and-more-of-them) [c](#d) [e](https://x.example/y#z)\n\n# D\n",
    ],
    ["a link of a file in a folder", "[home](../README.md) [beside](books.md)", "docs/other.md"],
    ["an example of a link", "`[a](b)`"],
  ])("%s", (_title, markdown, path = "README.md") => {
    expect(faultsOf(markdown, path)).toEqual([]);
  });
});

describe("what is not there is found", () => {
  test.each([
    ["a script", "Run `npm run lint`.", "package.json has no script lint"],
    [
      "a script in a line of commands",
      block("npm ci && npm run -s example:day -- a"),
      "package.json has no script example:day",
    ],
    ["a script with a short name", "`npm test`", "package.json has no script test"],
    ["a command", "`colloquy stop`", "`colloquy` has no command stop"],
    [
      "a command behind others",
      block("npm ci", "cd x && FOO=1 npx colloquy serve"),
      "`colloquy` has no command serve",
      2,
    ],
    ["a subcommand", "`npm run colloquy -- token delete 5`", "`colloquy token` has no command delete"],
    ["an option", "`colloquy token create --name a --expire 5d`", "`colloquy token create` has no option --expire"],
    ["a short option", "`node --env-file=.env src/main.js start -p 5`", "`colloquy start` has no option -p"],
    ["an option of another command", "`colloquy start --json`", "`colloquy start` has no option --json"],
    ["an argument", "`colloquy start now`", "`colloquy start` has no argument now"],
    ["a variable", "Set `DATA_DIRECTORY`.", "there is no variable or status DATA_DIRECTORY"],
    ["a variable in front of a command", block("POTR=1 npm start"), "there is no variable or status POTR"],
    ["a variable in a file .env", "```\nPORT=1\nMAIL_FRM=a\n```\n", "there is no variable or status MAIL_FRM"],
    ["some variables", "`SMTP_*`", "there is no variable or status SMTP_"],
    ["a variable that is only read", block('echo "$DATA_DRI"'), "there is no variable or status DATA_DRI"],
    ["a status", "It is NOT_FUOND.", "there is no variable or status NOT_FUOND"],
    ["an operation", "POST /v2/books/add.", "there is no operation /v2/books/add"],
    ["a version of an operation", block("curl http://x/v3/books/get"), "there is no operation /v3/books/get"],
    ["a family of operations", "`/v2/shelves/…`", "there is no operation /v2/shelves/"],
    ["a file", "`src/http/sever.ts`", "there is no file or folder src/http/sever.ts"],
    ["a folder", "`docs/guides/`", "there is no file or folder docs/guides/"],
    ["a file without its folder", "`sever.ts`", "there is no file or folder sever.ts"],
    ["a file of a folder that is not there", "`scr/http/server.ts`", "there is no file or folder scr/http/server.ts"],
    ["a file in a command", block("node bench/main.ts"), "there is no file or folder bench/main.ts"],
    ["a link", "[a](docs/shelves.md)", "there is no docs/shelves.md"],
    ["a link by reference", "[a][b]\n\n[b]: shelves.md\n", "there is no shelves.md"],
    ["a heading", "[a](docs/books.md#shelves)", "there is no heading docs/books.md#shelves"],
    ["a heading of its own", "[a](#shelves)\n\n```\n# Shelves\n```\n", "there is no heading #shelves"],
  ])("%s", (_title, markdown, fault, count = 1) => {
    const faults = faultsOf(markdown);
    expect(faults).toContain(`README.md: ${fault}`);
    expect(faults).toHaveLength(count);
  });
});
