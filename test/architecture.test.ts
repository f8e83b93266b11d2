import { describe, expect, test } from "vitest";
import { operations } from "../src/operations.ts";
import {
  everyOperationIsListed,
  featuresImportInOrder,
  featuresImportNoHttp,
  filesAreShort,
  handlersAreFunctionsOfTheirFile,
  importsAreStatic,
  importsHaveNoCycles,
  importsPointOneWay,
  keysAreBranded,
  linesAreShort,
  locksNeedATransaction,
  migrationsAreNumbered,
  noCommentBeginsAsFragment,
  onlyConfigReadsTheEnvironment,
  onlyHttpAndConsoleImportFastify,
  onlyQueriesContainSql,
  operationFilesAreNamedAfterTheirPath,
  organizationDataNeedsAScope,
  RULES,
  unsorted,
  webSharesOnlyTypes,
} from "./architecture.ts";
import { findTables, getImports, type Rule, readSources } from "./sources.ts";

/** Starts of comments, as constants so that the examples below are not parsed as comments of this file. */
const OPEN = "/**";
const LINE = "//";

/** Files that break each rule, except the rule against cycles, which takes two files. */
const BROKEN = new Map<Rule, [path: string, text: string][]>([
  [
    importsPointOneWay,
    [
      ["src/commands/token.ts", 'import "../main.js";'],
      ["src/service/service.ts", 'import { start } from "../commands/start.ts";'],
      ["src/operations.ts", 'import type { Service } from "./service/service.ts";'],
      ["src/features/activities/add.ts", 'export { operations } from "../../operations.ts";'],
      ["src/http/server.ts", 'import { queries } from "../features/activities/activity-queries.ts";'],
      ["src/http/server.ts", 'const { operations } = await import("../operations.ts");'],
      [
        "src/database/database.ts",
        'import {\n  type ActivityRow,\n} from "../features/activities/activity-queries.ts";',
      ],
      ["src/database/database.ts", 'import { ServiceError } from "../http/errors.ts";'],
      ["src/config/config.ts", 'import { openDatabase } from "../database/database.ts";'],
      ["src/helpers/text.ts", 'import { log } from "../config/log.ts";'],
    ],
  ],
  [
    featuresImportInOrder,
    [
      ["src/features/tenancy/access-block.ts", 'import type { User } from "../users/user.ts";'],
      ["src/features/tenancy/access-block.ts", 'import { Mentions } from "../purge/mentions.ts";'],
      ["src/features/purge/steps.ts", 'import { activityData } from "../activities/user-data.ts";'],
      [
        "src/features/comments/user-data/user-data.ts",
        'import { PURGED_OR_EXPORTED_KINDS } from "../../user-data/kinds.ts";',
      ],
    ],
  ],
  [
    featuresImportNoHttp,
    [
      ["src/features/activities/get.ts", 'import { createServer } from "../../http/server.ts";'],
      ["src/features/activities/get.ts", 'import type { PageTokens } from "../../http/page-token.ts";'],
      ["src/operations.ts", 'import "./http/authentication.ts";'],
    ],
  ],
  [
    webSharesOnlyTypes,
    [
      ["src/console/web/main.tsx", 'import { Activity } from "../../features/activities/activity.ts";'],
      ["src/console/web/main.tsx", 'import type { A } from "../serve.ts";\nimport { a } from "../page.ts";'],
      ["src/console/page.ts", 'import { call } from "./web/api/call.ts";'],
      ["src/commands/start.ts", 'import { call } from "../console/web/api/call.ts";'],
    ],
  ],
  [
    importsAreStatic,
    [
      ["src/operations.ts", "for (const path of paths) await import(path);"],
      ["src/operations.ts", 'await import("./features/" + name);'],
      ["src/service/service.ts", "await import(`./jobs.ts`);"],
    ],
  ],
  [
    onlyConfigReadsTheEnvironment,
    [
      ["src/http/log.ts", "const level = process.env.LOG_LEVEL;"],
      ["src/http/server.ts", 'const level = process\n  .env["LOG_LEVEL"];'],
      ["src/http/server.ts", "const { env } = process;"],
      ["src/http/server.ts", 'import { env } from "node:process";'],
    ],
  ],
  [
    onlyQueriesContainSql,
    [
      ["src/features/activities/add.ts", 'import { sql } from "../../database/sql.ts";'],
      ["src/features/activities/sql.ts", "export const READ = `\n  select id from activities where id = $1`;"],
      ["src/features/activities/sql.ts", 'export const ADD = "INSERT INTO activities VALUES ($1)";'],
      ["src/features/activities/sql.ts", 'export const CHANGE = "update activities set record = $1";'],
      ["src/service/service.ts", "const statement = `with recent as (select 1) delete from activities`;"],
      ["src/commands/start.ts", "export const TABLE = 'create table activities (id text)';"],
    ],
  ],
  [
    onlyHttpAndConsoleImportFastify,
    [
      ["src/features/activities/get.ts", 'import type { FastifyRequest } from "fastify";'],
      ["src/service/service.ts", 'import helmet from "@fastify/helmet";'],
    ],
  ],
  [
    everyOperationIsListed,
    [
      [
        "src/features/activities/count.ts",
        'export const countActivities = operation({ path: "/v2/activities/count" });',
      ],
      ["src/features/activities/ping.ts", 'export const ping = publicOperation({ path: "/v2/activities/ping" });'],
    ],
  ],
  [
    handlersAreFunctionsOfTheirFile,
    [
      [
        "src/features/activities/add.ts",
        'export const add = operation({\n  path: "/v2/activities/add",\n  async handle() {},\n});',
      ],
      [
        "src/features/sign-in/sign-in.ts",
        "export const signIn = publicOperation({\n  handle: async function handle() {\n    return null;\n  },\n});",
      ],
      [
        "src/features/activities/get.ts",
        "export const get = operation({\n  handle,\n});\nconst handle = async () => [];",
      ],
    ],
  ],
  [
    operationFilesAreNamedAfterTheirPath,
    [
      ["src/features/activities/create.ts", 'export const add = operation({\n  path: "/v2/activities/add",\n});'],
      [
        "src/features/sign-in/mail.ts",
        'export const send = publicOperation({ authentication: "none", path: "/v2/email/send-login-link" });',
      ],
    ],
  ],
  [
    noCommentBeginsAsFragment,
    [
      ["src/features/activities/add.ts", `${OPEN} Of those that wait, the oldest. */`],
      ["src/features/activities/add.ts", `${OPEN}\n * Without a lock.\n */`],
      ["src/features/activities/add.ts", `${LINE} Whatever the method.\n`],
      ["src/database/migrations/0001.sql", "-- Of the response.\n"],
    ],
  ],
  [
    organizationDataNeedsAScope,
    [
      ["src/features/mails/mail-queries.ts", "function a(\n  database: Queryable,\n  key: OrganizationKey,\n) {}\n"],
      ["src/features/mails/mail-queries.ts", "function a(transaction: Queryable, keys: readonly OrganizationKey[]) {}"],
      ["src/features/mails/mail-queries.ts", "function a(database: Queryable, { organizationKey, id }: MailKey) {}"],
      ["src/features/mails/mail-queries.ts", "function a(database: Queryable) {\n  sql`select id\n from mails`;\n}\n"],
      [
        "src/features/mails/mail-queries.ts",
        'function a(database: Queryable) {\n  selectFirst(database, "mails");\n}\n',
      ],
      [
        "src/features/mails/mail-queries.ts",
        "async function a(database: TransactionalQueryable) {\n  b(c);\n}\nconst b = sql`delete from mails`;\n",
      ],
    ],
  ],
  [
    keysAreBranded,
    [
      ["src/features/mails/mail-queries.ts", "interface A {\n  organizationKey: string;\n}\n"],
      ["src/email/outbox.ts", "interface A {\n  readonly userKeys?: readonly string[];\n}\n"],
      ["src/database/batch.ts", "class A {\n  readonly #organizationKey: string;\n}\n"],
      ["src/contract/event-reading.ts", "interface A {\n  subscribe(organizationKey: string): void;\n}\n"],
      ["src/features/users/user.ts", "function a(documentKeys: ReadonlySet<string>) {}\n"],
      ["src/features/mails/mail-queries.ts", "sql<{ organization_key: string }>`select organization_key`;\n"],
      ["src/features/mails/mail-queries.ts", "sql<{ key: string }>`select organization_key as key`;\n"],
      ["src/features/mails/mail-queries.ts", 'sql<MailKey>`select mails.organization_key as "organizationKey"`;\n'],
      ["src/features/mails/mail.ts", "const key = text as OrganizationKey;\n"],
      ["src/features/mails/mail.ts", "const Key = Type.Unsafe<UserKey>(Type.String());\n"],
    ],
  ],
  [
    locksNeedATransaction,
    [
      ["src/features/mails/mail-queries.ts", "function a(database: Queryable) {\n  sql`select id for update`;\n}\n"],
      [
        "src/features/mails/mail-queries.ts",
        "async function a(\n  b: C,\n): Promise<D> {\n  sql`for key share of e\n`;\n}\n",
      ],
      ["src/features/mails/mail-queries.ts", "function a<B>(c: B, d = e()) {\n  join([f(c), sql`for update`]);\n}\n"],
      [
        "src/features/mails/mail-queries.ts",
        "function a(b: Queryable) {\n  sql`select pg_advisory_xact_lock(1)`;\n}\n",
      ],
    ],
  ],
  [filesAreShort, [["src/features/activities/add.ts", "line\n".repeat(301)]]],
  [linesAreShort, [["src/config/config.ts", `short\n${"é".repeat(121)}\nshort\n`]]],
  [migrationsAreNumbered, [["src/database/migrations/0002_second.sql", "create table second ();\n"]]],
]);

const sources = await readSources();

test("every rule has files that break it", () => {
  expect(RULES.map(([, rule]) => rule).filter((rule) => !BROKEN.has(rule))).toEqual([importsHaveNoCycles]);
});

test.each(RULES)("%s", (_title, rule) => {
  expect(sources.size).toBeGreaterThan(50);
  expect(rule(sources)).toEqual([]);
});

describe.each(RULES.filter(([, rule]) => BROKEN.has(rule)))("a violation is found: %s", (_title, rule) => {
  test.each(BROKEN.get(rule) ?? [])("%s", (path, text) => {
    expect(rule(new Map([[path, text]]))).not.toEqual([]);
  });
});

test.each([
  [
    "files",
    ["src/database/batch.ts", 'import type { Database } from "./database.ts";'],
    ["src/database/database.ts", 'import { BatchQueue } from "./batch.ts";'],
  ],
  [
    "features",
    ["src/features/mails/send.ts", 'import { a } from "../users/user.ts";'],
    ["src/features/users/add.ts", 'import type { B } from "../mails/mail.ts";'],
  ],
] satisfies [string, [string, string], [string, string]][])("a cycle of %s is found", (_of, ...files) => {
  expect(importsHaveNoCycles(new Map(files))).toHaveLength(2);
  expect(importsHaveNoCycles(new Map(files.slice(1)))).toEqual([]);
});

test("operations are sorted by path, each once", () => {
  const paths = operations.map(({ path }) => path);
  expect(unsorted(paths)).toEqual([]);
  expect(new Set(paths).size).toBe(paths.length);
  expect(unsorted(["/v2/b", "/v2/a"])).toEqual(["/v2/b", "/v2/a"]);
});

test.each([
  ['import a from "./a.ts";', ["./a.ts"]],
  ['import {\n  type A,\n  b,\n} from "./a.ts";\nimport "./b.ts";', ["./a.ts", "./b.ts"]],
  ['import type { A } from "./a.ts"; export * from "./b.ts";', ["./a.ts", "./b.ts"]],
  ['export { a } from "./a.ts";\nconst b = await import("./b.ts");', ["./a.ts", "./b.ts"]],
  ['import a from "./a.json" with { type: "json" };', ["./a.json"]],
  ['const text = "no import";\nexport const from = "./a.ts";', []],
])("the imports of %j are found", (text, specifiers) => {
  expect(getImports(text)).toEqual(specifiers);
});

test("functions on settings of a workspace, and on organizations by a scope, take what they need", () => {
  const texts = [
    "export function a(database: Queryable) {\n  sql`select id from workspaces`;\n}\n",
    "export function b(scope: CrossTenantScope) {\n  sql`select id from mails`;\n}\n",
  ];
  const path = "src/features/mails/mail-queries.ts";
  expect(organizationDataNeedsAScope(new Map([[path, texts.join("\n")]]))).toEqual([]);
});

test("the tables that have a column are found in a schema", () => {
  const buildTable = (name: string, ...columns: string[]) =>
    `create table ${name} (\n  ${columns.join(" uuid,\n  ")} uuid\n) with (fillfactor=70);\n\n`;
  const keyed = buildTable("b", "id", "organization_key") + buildTable("c", "organization_key", "id");
  const schema = buildTable("a", "id") + keyed + buildTable("d", "id");
  expect(findTables(schema, "organization_key")).toEqual(["b", "c"]);
});
