import { Command } from "commander";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { findExampleErrors } from "./documentation/examples.ts";
import { findGlossaryErrors } from "./documentation/glossary.ts";
import { findDocumentErrors, type Project } from "./documentation/names.ts";

function exampleProgram(): Command {
  const program = new Command("colloquy").version("1.0.0");
  program.command("start");
  const token = program.command("token");
  token.command("create").requiredOption("-n, --name <name>").option("--json");
  token.command("revoke").argument("<id>");
  return program;
}

const PROJECT: Project = {
  scripts: new Set(["start", "bench", "colloquy", "example:team"]),
  program: exampleProgram(),
  variables: new Set(["PORT", "DATA_DIR", "MAIL_FROM", "MAIL_TO"]),
  statuses: new Set(["NOT_FOUND"]),
  operationPaths: new Set(["/v1/books/get", "/v2/books/get"]),
  paths: new Set(["README.md", "docs", "docs/books.md", "src", "src/main.js", "src/http", "src/http/server.ts"]),
  ignored: new Set(["data"]),
  documents: new Map([["docs/books.md", "# Books, and `more` of them\n"]]),
};

function findErrors(markdown: string, path = "README.md"): string[] {
  return findDocumentErrors(path, markdown, PROJECT);
}

function block(...lines: string[]): string {
  return ["```sh", ...lines, "```", ""].join("\n");
}

describe("names", () => {
  test.each([
    ["scripts and npm's own commands", "`npm ci && npm start`, then npm run bench, or `npm run example:team -- x`."],
    ["a placeholder for a script", "`npm run <script>`"],
    ["the product's name", "colloquy is a service; Colloquy start is not a command outside of code."],
    [
      "a command",
      block("$ PORT=1 npx colloquy start  # the service", "sudo colloquy token create -n 'a' --json > token"),
    ],
    [
      "a command that npm or node runs",
      "`npm run colloquy -- token revoke 5`, `npm run colloquy token`, `node src/main.js start`",
    ],
    ["a command on two lines", block("colloquy token \\", "  create --name=a --json")],
    ["help, version and placeholders", "`colloquy --help`, `colloquy help token`, `colloquy -V`, `colloquy <command>`"],
    ["colloquy as a value", "`pg_dump -U colloquy books`, `postgresql://host/colloquy`"],
    [
      "a variable, a prefix of variables or a status",
      "`PORT`, `DATA_DIR` and `MAIL_*` are read; NOT_FOUND is returned.",
    ],
    ["a placeholder for a value", "Replace `YOUR_AUTH_TOKEN`."],
    ["a shell variable", block('MY_KEY=5 && curl -H "key: $MY_KEY"')],
    [
      "an operation or a prefix of operations",
      "`/v2/books/get`, /v1/books/get, `http://127.0.0.1/v2/books/get`, `/v2/books/*`",
    ],
    ["the operation of another service", "[like theirs](https://example.com/v2/shelves/get)"],
    ["files and folders", "`src/http/server.ts`, `src/http/`, `./docs/books.md`, `server.ts`, `DATA_DIR/secret.sh`"],
    ["a file that Git ignores", "`data/credentials.json`"],
    ["code that only looks like a path", "`a/b`, `text/plain`, `example.com`"],
    [
      "links",
      "[a](docs/books.md) [b](docs/books.md#books-and-more-of-them) [c](#d) [e](https://x.example/y#z)\n\n# D\n",
    ],
    ["links relative to a folder", "[home](../README.md) [next](books.md)", "docs/other.md"],
    ["code that contains a link", "`[a](b)`"],
  ])("documentation may mention %s", (_subject, markdown, path = "README.md") => {
    expect(findErrors(markdown, path)).toEqual([]);
  });

  test.each([
    ["script", "Run `npm run lint`.", "package.json has no script lint"],
    [
      "script in a line of commands",
      block("npm ci && npm run -s example:day -- a"),
      "package.json has no script example:day",
    ],
    ["script with a short form", "`npm test`", "package.json has no script test"],
    ["command", "`colloquy stop`", "`colloquy` has no command stop"],
    [
      "command after other commands",
      block("npm ci", "cd x && FOO=1 npx colloquy serve"),
      "`colloquy` has no command serve",
      2,
    ],
    ["subcommand", "`npm run colloquy -- token delete 5`", "`colloquy token` has no command delete"],
    ["option", "`colloquy token create --name a --expire 5d`", "`colloquy token create` has no option --expire"],
    ["short option", "`node --env-file=.env src/main.js start -p 5`", "`colloquy start` has no option -p"],
    ["option of this command", "`colloquy start --json`", "`colloquy start` has no option --json"],
    ["argument", "`colloquy start now`", "`colloquy start` has no argument now"],
    ["variable", "Set `DATA_DIRECTORY`.", "there is no variable or status DATA_DIRECTORY"],
    ["variable before a command", block("POTR=1 npm start"), "there is no variable or status POTR"],
    ["variable in a .env file", "```\nPORT=1\nMAIL_FRM=a\n```\n", "there is no variable or status MAIL_FRM"],
    ["prefix of variables", "`SMTP_*`", "there is no variable or status SMTP_"],
    ["variable that is only read", block('echo "$DATA_DRI"'), "there is no variable or status DATA_DRI"],
    ["status", "It is NOT_FUOND.", "there is no variable or status NOT_FUOND"],
    ["operation", "POST /v2/books/add.", "there is no operation /v2/books/add"],
    ["version of an operation", block("curl http://x/v3/books/get"), "there is no operation /v3/books/get"],
    ["prefix of operations", "`/v2/shelves/…`", "there is no operation /v2/shelves/"],
    ["file", "`src/http/sever.ts`", "there is no file or folder src/http/sever.ts"],
    ["folder", "`docs/guides/`", "there is no file or folder docs/guides/"],
    ["file without its folder", "`sever.ts`", "there is no file or folder sever.ts"],
    ["file in an unknown folder", "`scr/http/server.ts`", "there is no file or folder scr/http/server.ts"],
    ["file in a command", block("node bench/main.ts"), "there is no file or folder bench/main.ts"],
    ["link target", "[a](docs/shelves.md)", "there is no docs/shelves.md"],
    ["target of a reference link", "[a][b]\n\n[b]: shelves.md\n", "there is no shelves.md"],
    ["heading of another document", "[a](docs/books.md#shelves)", "there is no heading docs/books.md#shelves"],
    ["heading of the same document", "[a](#shelves)\n\n```\n# Shelves\n```\n", "there is no heading #shelves"],
  ])("the check reports an unknown %s", (_subject, markdown, error, count = 1) => {
    const errors = findErrors(markdown);
    expect(errors).toContain(`README.md: ${error}`);
    expect(errors).toHaveLength(count);
  });
});

describe("example requests", () => {
  const operations = [
    { path: "/v2/books/get", aliases: ["/v1/books/get"], request: Type.Object({ id: Type.String() }) },
  ];
  const errorsIn = (...lines: string[]) =>
    findExampleErrors("docs/books.md", ["```http", ...lines, "```", ""].join("\n"), operations);

  test("a request that its operation accepts passes, with headers and by an alias too", async () => {
    expect(
      await errorsIn("POST /v2/books/get", "Origin: https://example.com", "", '{ "data": { "id": "a" } }'),
    ).toEqual([]);
    expect(await errorsIn("POST /v1/books/get", "", "{", '  "data": { "id": "a" }', "}")).toEqual([]);
  });

  test.each([
    ["a request that lacks a field", ["POST /v2/books/get", "", '{ "data": {} }'], "data.id is required"],
    [
      "a field that the operation does not know",
      ["POST /v2/books/get", "", '{ "data": { "id": "a", "name": "b" } }'],
      "data.name is not a field of this operation. The fields are id.",
    ],
    ["a body that is not JSON", ["POST /v2/books/get", "", '{ "data": … }'], "the body is not JSON"],
    ["an unknown operation", ["POST /v2/books/add", "", "{}"], "there is no operation /v2/books/add"],
    ["another method", ["GET /v2/books/get", "", "{}"], "the first line must be POST and a path"],
  ])("the check reports %s", async (_subject, lines, error) => {
    expect(await errorsIn(...lines)).toEqual([`docs/books.md: ${lines[0]}: ${error}`]);
  });
});

describe("the glossary", () => {
  test("terms in alphabetical order, each once and on one line, pass", () => {
    expect(findGlossaryErrors("# Glossary\n\n- **API key**: A key.\n- **item**: A thing.\n")).toEqual([]);
  });

  test.each([
    ["terms out of order", "- **item**: A thing.\n- **API key**: A key.\n", "API key must come before item"],
    ["a repeated term", "- **item**: A thing.\n- **Item**: A thing.\n", "Item is defined twice"],
    ["a definition on two lines", "- **item**: A\n  thing.\n", "item must be defined on one line"],
    ["an entry that is not a definition", "- item\n", "- item is not of the form - **term**: Definition."],
  ])("the check reports %s", (_subject, entries, error) => {
    expect(findGlossaryErrors(`# Glossary\n\n${entries}`)).toEqual([`docs/glossary.md: ${error}`]);
  });
});
