import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { temporaryDataDir } from "../../test/service-process.ts";
import { NoPrimaryError } from "./database-errors.ts";
import { borrowEmbeddedDatabase } from "./embedded.ts";
import { describeHost, findPrimary, getAddress, isSuccessor, readHosts } from "./hosts.ts";

const { connectionString } = await createTestDatabase({ isBare: true });
const PRIMARY = { connectionString };
const AWAY = { connectionString: "postgres://colloquy@127.0.0.1:1/colloquy" };

/** Starts a standby that has no primary, until the end of the test. */
async function startStandby(): Promise<pg.ClientConfig> {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  await writeFile(join(dataDir, "postgres", "standby.signal"), "");
  const { connection, stop } = await borrowEmbeddedDatabase({ dataDir, log: silentLog });
  onTestFinished(stop);
  const { user, password = "", host, port, database } = connection;
  return { connectionString: `postgres://${user}:${password}@localhost:${port}/${database}?host=${host}` };
}

test("of several hosts, the one that is neither a standby nor away is the primary, in any order", async () => {
  const standby = await startStandby();
  for (const hosts of [
    [AWAY, standby, PRIMARY],
    [PRIMARY, standby, AWAY],
  ]) {
    expect(await findPrimary(hosts)).toMatchObject({ connection: PRIMARY, timeline: expect.stringMatching(/^\w{8}$/) });
  }
  const finding = findPrimary([standby, AWAY]);
  await expect(finding).rejects.toBeInstanceOf(NoPrimaryError);
  await expect(finding).rejects.toThrow(/^no host is a primary: .+ is a standby; 127.0.0.1:1 does not respond \(.+\)$/);
});

test.each([
  ["one that was promoted", "0000000B", "7", true],
  ["itself", "0000000A", "7", true],
  ["a former one", "00000009", "7", false],
  ["one of another cluster", "0000000B", "8", false],
])("while a primary does not respond, %s is or is not its successor", (_, timeline, cluster, expected) => {
  const current = { connection: PRIMARY, timeline: "0000000A", cluster: "7" };
  expect(isSuccessor({ connection: AWAY, timeline, cluster }, current)).toBe(expected);
  expect(isSuccessor({ connection: AWAY, timeline, cluster }, { connection: PRIMARY })).toBe(true);
});

test("a password that no host accepts is the reason, not the lack of a primary", async () => {
  const url = new URL(connectionString);
  url.username = "nobody-by-this-name";
  const wrong = { connectionString: url.href };
  await expect(findPrimary([wrong, AWAY])).rejects.toMatchObject({ code: expect.stringMatching(/^28/) });
});

test("a host is described without its password", async () => {
  const [state] = await readHosts([{ connectionString: "postgres://ada:hush@127.0.0.1:1/colloquy" }]);
  if (!state) expect.fail();
  expect(describeHost(state)).toMatch(/^127.0.0.1:1 does not respond/);
});

test.each([
  ["postgres://%2Frun%2Fpostgresql/colloquy", "/run/postgresql"],
  ["postgres:///colloquy", "localhost"],
  ["postgres://ada:hush@100%:1/colloquy", "100%:1"],
])("the host of %s is named, even if it is not percent-encoded", (address, expected) => {
  expect(getAddress({ connection: { connectionString: address } })).toBe(expected);
});
