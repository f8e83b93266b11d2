import { randomBytes } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { registerCleanup } from "../../test/cleanup.ts";
import { emptyFolder, runCommand } from "../../test/command-line.ts";
import { createTestDatabase } from "../../test/harness.ts";
import { databaseUrl, dropDatabase, runQuery } from "../../test/servers.ts";

const SECRET_KEY = "5".repeat(64);
const [serverUrl = ""] = inject("serverUrls");

function uniqueName(): string {
  return `${inject("databasePrefix")}${randomBytes(8).toString("hex")}`;
}

async function colloquy(command: string, DATABASE_URL: string) {
  return runCommand([command], { DATABASE_URL, SECRET_KEY, DATA_DIR: await emptyFolder() });
}

async function getTables(url: string): Promise<unknown[]> {
  return (await runQuery(url, "select from pg_tables where schemaname = 'public'")).rows;
}

test("a database with another encoding is rejected before the first migration, and doctor says why", async () => {
  const name = uniqueName();
  await runQuery(serverUrl, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  registerCleanup(() => dropDatabase([serverUrl], name));
  const url = databaseUrl(serverUrl, name);
  const finding = `The database ${name} has the encoding LATIN1 instead of UTF8.`;
  const { stderr, exitCode } = await colloquy("migrate", url);
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining(finding), exitCode: 1 });
  expect(stderr).toContain("create database … encoding 'UTF8'");
  expect(await getTables(url)).toEqual([]);
  expect((await colloquy("doctor", url)).stdout).toMatch(new RegExp(`ERROR +database +${finding}\n +→ Create one`));
});

test("tables are not created in another schema than public, which backups read", async () => {
  const { connectionString } = await createTestDatabase({ isBare: true });
  await runQuery(connectionString, "create schema other");
  const url = new URL(connectionString);
  url.searchParams.set("options", "-c search_path=other");
  const remedy = "set search_path = public";
  expect(await colloquy("migrate", url.href)).toMatchObject({ stderr: expect.stringContaining(remedy), exitCode: 1 });
  expect((await colloquy("doctor", url.href)).stdout).toMatch(
    /^ERROR +schema +The search path .*\n +→ Run `alter role/m,
  );
  expect((await runQuery(connectionString, "select from pg_tables where schemaname = 'other'")).rows).toEqual([]);
});

test("a migration that meets a table of another program says so", async () => {
  const { connectionString } = await createTestDatabase({ isBare: true });
  await runQuery(connectionString, "create table users (id integer)");
  const { stderr, exitCode } = await colloquy("migrate", connectionString);
  const reason = 'relation "users" already exists';
  expect(stderr).toBe(
    `colloquy: The database has objects of another program: ${reason}. Use a database of Colloquy's own.\n`,
  );
  expect(exitCode).toBe(1);
});

// A superuser lacks no privilege.
const { rows } = await runQuery(serverUrl, "select rolsuper from pg_roles where rolname = current_user");

describe.skipIf(rows[0]?.rolsuper)("a user", () => {
  test("that lacks privileges learns each from migrations and doctor, with the statement that grants it", async () => {
    const { connectionString: url } = await createTestDatabase({ isBare: true });
    const [user, database] = await revokePrivileges(url);
    const grants = [`create on schema "public"`, `create on database "${database}"`].map(
      (privilege) => `grant ${privilege} to "${user}"`,
    );
    for (const grant of grants) {
      expect((await colloquy("doctor", url)).stdout).toMatch(new RegExp(`ERROR +privileges .*\n +→ Run \`${grant}\``));
      expect(await colloquy("migrate", url)).toMatchObject({ stderr: expect.stringContaining(grant), exitCode: 1 });
      expect(await getTables(url)).toEqual([]);
      await runQuery(url, grant);
    }
    expect((await colloquy("doctor", url)).stdout).toMatch(/^ok +privileges /m);
    expect(await colloquy("migrate", url)).toMatchObject({ stderr: "", exitCode: 0 });
  });

  test("that lacks privileges is warned of while no migration is missing", async () => {
    const { connectionString: url } = await createTestDatabase();
    await revokePrivileges(url);
    expect((await colloquy("doctor", url)).stdout).toMatch(/^WARNING +privileges .*\n +→ Run `grant create on schema/m);
  });

  test("whose search path names no schema learns that", async () => {
    const { connectionString } = await createTestDatabase({ isBare: true });
    const url = new URL(connectionString);
    url.searchParams.set("options", "-c search_path=missing");
    const { stdout } = await colloquy("doctor", url.href);
    expect(stdout).toMatch(/ERROR +privileges +The search path of the user \S+ names no schema/);
  });
});

/** Revokes what the owner of a database may create in it. Returns the names of the user and the database. */
async function revokePrivileges(url: string): Promise<[string, string]> {
  const { rows: names } = await runQuery(url, "select current_user as user, current_database() as database");
  const [{ user, database }] = names as [{ user: string; database: string }];
  await runQuery(url, "revoke create on schema public from pg_database_owner");
  await runQuery(url, `revoke create on database "${database}" from "${user}"`);
  return [user, database];
}
