import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../../test/command-line.ts";
import { findConfigurationErrors, findMisspeltVariables, readConfig } from "./config.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { LIMITS } from "./limits.ts";
import { defaultProcesses } from "./machine.ts";

const SECRET_KEY = "5".repeat(64);
const BOOTSTRAP = { BOOTSTRAP_API_KEY: "bootstrap-key", BOOTSTRAP_AUTH_TOKEN: "bootstrap-token-0123456789" };

test("no variable is required, and an empty one counts as not set", () => {
  const config = readConfig({});
  expect(config).toMatchObject({ port: 8080, host: "127.0.0.1", dataDir: resolve("data"), databasePoolMax: 10 });
  expect(config).not.toHaveProperty("databaseUrl");
  expect(readConfig({ PORT: "", DATABASE_URL: "", SECRET_KEY: "", TRUST_PROXY: "" })).toEqual(config);
});

test.each<[environment: Record<string, string>, config: object]>([
  [{ PORT: "80" }, { port: 80, publicUrl: "http://127.0.0.1:80" }],
  [{ HOST: "0.0.0.0", PORT: "81" }, { publicUrl: "http://127.0.0.1:81" }],
  [{ HOST: "::", PORT: "81" }, { publicUrl: "http://[::1]:81" }],
  [{ HOST: "::1", PORT: "81" }, { publicUrl: "http://[::1]:81" }],
  [{ PROCESSES: "3" }, { processes: 3 }],
  [{ PUBLIC_URL: "https://api.example.com/colloquy//" }, { publicUrl: "https://api.example.com/colloquy" }],
  [
    { DATABASE_URL: "postgresql://db/c", SECRET_KEY },
    { databaseUrl: "postgresql://db/c", secretKey: SECRET_KEY },
  ],
  [
    { DATABASE_URL: "postgresql://ada:p%2Cw@db:5433/c?sslmode=verify-full", SECRET_KEY },
    { databaseUrl: "postgresql://ada:p%2Cw@db:5433/c?sslmode=verify-full" },
  ],
  [
    { DATABASE_URL: "postgresql://ada:pw@/c?host=/run/postgresql", SECRET_KEY },
    { databaseUrl: "postgresql://ada:pw@localhost/c?host=/run/postgresql" },
  ],
  [{ DATABASE_URL: "postgres://ada@:5433/c", SECRET_KEY }, { databaseUrl: "postgres://ada@localhost:5433/c" }],
  [{ DATABASE_URL: "postgres:///c?host=/run", SECRET_KEY }, { databaseUrl: "postgres:///c?host=/run" }],
  [{ DATABASE_URL: "postgres://a:5432,b/c", SECRET_KEY }, { databaseUrl: "postgres://a:5432,b/c" }],
  [
    { DATABASE_URL: "postgres://ada:p%2Cw@a,[::1]:5433/c?target_session_attrs=read-write", SECRET_KEY },
    { databaseUrl: "postgres://ada:p%2Cw@a,[::1]:5433/c?target_session_attrs=read-write" },
  ],
  [{ DATABASE_WAIT_SECONDS: "2" }, { databaseWaitMs: 2000 }],
  [{ AUTH_HEADER_BRANDS: "service, Acme" }, { authHeaderPrefixes: ["service", "acme"] }],
  [{}, { earlierSecretKeys: [], allowPrivateAddresses: false }],
  [{ SECRET_KEY_OLD: `${SECRET_KEY}, ${"6".repeat(64)}` }, { earlierSecretKeys: [SECRET_KEY, "6".repeat(64)] }],
  [{ ALLOW_PRIVATE_ADDRESSES: "true" }, { allowPrivateAddresses: true }],
  [{ TRUST_PROXY: "true" }, { trustProxy: true }],
  [{ TRUST_PROXY: "false" }, { trustProxy: false }],
  [{ TRUST_PROXY: "loopback, 10.0.0.0/8,::1,fd00::/8" }, { trustProxy: "loopback, 10.0.0.0/8,::1,fd00::/8" }],
  [BOOTSTRAP, { bootstrap: { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" } }],
])("%j is parsed", (environment, config) => {
  expect(readConfig(environment)).toMatchObject(config);
});

test.each<Record<string, string>>([
  { PORT: "many" },
  { PORT: "65536" },
  { PORT: "80.5" },
  { PROCESSES: "0" },
  { PROCESSES: "0x2" },
  { DATABASE_POOL_MAX: "0" },
  { DATABASE_WAIT_SECONDS: "-1" },
  { DATABASE_URL: "mysql://db/c", SECRET_KEY },
  { DATABASE_URL: "db", SECRET_KEY },
  { PUBLIC_URL: "api.example.com" },
  { SMTP_URL: "https://mail.example.com" },
  { MAIL_FROM: "Acme" },
  { MAIL_FROM: "Acme <notices@acme.example>\r\nBcc: eve@acme.example" },
  { SECRET_KEY: "5".repeat(63) },
  { SECRET_KEY_OLD: "5".repeat(63) },
  { SECRET_KEY_OLD: `${SECRET_KEY},` },
  { ALLOW_PRIVATE_ADDRESSES: "yes" },
  { AUTH_HEADER_BRANDS: "service,,acme" },
  { AUTH_HEADER_BRANDS: "two words" },
  { TRUST_PROXY: "proxy.example.com" },
  { TRUST_PROXY: "10.0.0.0/33" },
  { TRUST_PROXY: "10.0.0.0/0" },
  { TRUST_PROXY: "10.1" },
  { TRUST_PROXY: "10.0.0.1, yes" },
  { LOG_LEVEL: "loud" },
  { BOOTSTRAP_OWNER_EMAIL: "ada", ...BOOTSTRAP },
])("%j stops the start with a sentence that begins with the variable", (environment) => {
  const [name = ""] = Object.keys(environment);
  expect(() => readConfig(environment)).toThrow(ConfigurationError);
  expect(() => readConfig(environment)).toThrow(new RegExp(`^${name} must be [^.]+(\\.\\d[^.]*)*\\.$`));
});

test.each<[environment: Record<string, string>, finding: string, remedy: string]>([
  [
    { DATABASE_URL: "postgres://db/c" },
    "SECRET_KEY must be set together with",
    "Set SECRET_KEY, or remove DATABASE_URL",
  ],
  [{ BOOTSTRAP_API_KEY: "bootstrap-key" }, "must be set together, or neither", "Set BOOTSTRAP_AUTH_TOKEN, or remove"],
  [
    { BOOTSTRAP_AUTH_TOKEN: "0123456789abcdef" },
    "must be set together, or neither",
    "Set BOOTSTRAP_API_KEY, or remove",
  ],
  [{ BOOTSTRAP_OWNER_EMAIL: "ada@acme.example" }, "needs BOOTSTRAP_API_KEY", "or remove BOOTSTRAP_OWNER_EMAIL"],
])("%j lacks another variable, which the error names", (environment, finding, remedy) => {
  expect(findConfigurationErrors(environment)).toEqual([
    { finding: expect.stringContaining(finding), remedy: expect.stringContaining(remedy) },
  ]);
  expect(() => readConfig(environment)).toThrow(finding);
});

test.each([
  ...["u:p#w@h/x", "u:p/w@h/x", "u:p?w@h/x", "u:12#w@h/x", "u:12/w@h/x"].map((rest) => [rest, /percent-encoded/]),
  ...["h:port/x", "h:99999/x", "u:p@h:port/x"].map((rest) => [rest, /must be an address like /]),
  ["u:p@h1,h2:port/x", /must be an address like /],
  ["h1,h2/x?target_session_attrs=standby", /must have no target_session_attrs but read-write or primary/],
  ["/x?host=h1,h2", /must have several hosts before its path/],
] as [string, RegExp][])("the error for DATABASE_URL postgresql://%s says what is wrong", (rest, finding) => {
  expect(() => readConfig({ DATABASE_URL: `postgresql://${rest}`, SECRET_KEY })).toThrow(finding);
});

test.each<[cores: number, gibibytes: number, processes: number, besideDatabase: number]>([
  [1, 4, 1, 1],
  [2, 2, 2, 1],
  [3, 4, 3, 2],
  [4, 1.9, 1, 1],
  [64, 64, 8, 8],
])("%i cores and %d GiB run %i processes by default, and %i beside the embedded database", (...row) => {
  const [cores, gibibytes, processes, besideDatabase] = row;
  const machine = { cores, memoryBytes: gibibytes * 2 ** 30 };
  expect(defaultProcesses({ ...machine, isDatabaseEmbedded: false })).toBe(processes);
  expect(defaultProcesses({ ...machine, isDatabaseEmbedded: true })).toBe(besideDatabase);
});

test("processes share the memory for bodies and responses, and each has room for the largest of both", () => {
  const [one, eight, many] = ["1", "8", "100"].map((PROCESSES) => readConfig({ PROCESSES }).limits);
  expect(one).toEqual(LIMITS);
  expect([eight?.bodies.maxBytes, eight?.unsentResponses.maxBytes]).toEqual([32 * 2 ** 20, 16 * 2 ** 20]);
  expect(many).toEqual(eight);
});

test("secrets can be in files that other variables name, as orchestrators mount them", async () => {
  const folder = await emptyFolder();
  const path = join(folder, "secret");
  await writeFile(path, `${SECRET_KEY}\n`);
  expect(readConfig({ SECRET_KEY_FILE: path }).secretKey).toBe(SECRET_KEY);
  expect(readConfig({ SECRET_KEY_FILE: path, DATABASE_URL: "postgresql://h/x" }).secretKey).toBe(SECRET_KEY);
  for (const [environment, finding] of [
    [{ SECRET_KEY, SECRET_KEY_FILE: path }, "SECRET_KEY and SECRET_KEY_FILE must not both be set."],
    [{ SECRET_KEY_FILE: folder }, "SECRET_KEY cannot be read from the file that SECRET_KEY_FILE names."],
  ] as const) {
    expect(findConfigurationErrors(environment)).toEqual([{ finding, remedy: expect.any(String) }]);
  }
  await writeFile(path, "hush");
  expect(findConfigurationErrors({ SECRET_KEY_FILE: path })).toMatchObject([
    { finding: expect.stringMatching(/^SECRET_KEY must be/) },
  ]);
});

test("a misspelt variable is found with the nearest name, and names of other programs are not", () => {
  const environment = {
    REQUEST_PER_SECOND: "5",
    DATABSE_URL: "x",
    SECRET_KEY_FIEL: "x",
    HOSTS: "x",
    HOME: "x",
    PATH: "x",
  };
  expect(findMisspeltVariables(environment).map(({ finding, remedy }) => `${finding} ${remedy}`)).toEqual([
    "REQUEST_PER_SECOND is not a variable of Colloquy. Name it REQUESTS_PER_SECOND, or remove it.",
    "DATABSE_URL is not a variable of Colloquy. Name it DATABASE_URL, or remove it.",
    "SECRET_KEY_FIEL is not a variable of Colloquy. Name it SECRET_KEY_FILE, or remove it.",
  ]);
  expect(findMisspeltVariables({ ...process.env })).toEqual([]);
});

test("every error is found, and no message quotes a value that may be secret", () => {
  const environment = { PORT: "hush", SECRET_KEY: "hush", DATABASE_URL: "hush", BOOTSTRAP_API_KEY: "hush" };
  const errors = findConfigurationErrors(environment);
  expect(errors.map(({ finding }) => finding.split(" ")[0])).toEqual([
    ...["PORT", "DATABASE_URL", "SECRET_KEY", "BOOTSTRAP_API_KEY", "BOOTSTRAP_API_KEY"],
  ]);
  expect(JSON.stringify(errors)).not.toContain("hush");
});
