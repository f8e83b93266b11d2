import { expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { folderWith } from "../../../test/earlier-version.ts";
import { post, startOwnTestService, startTestService } from "../../../test/harness.ts";
import { migrate } from "../../database/migrate.ts";
import { operations } from "../../operations.ts";

async function readVersion(address: string): Promise<unknown> {
  const { body } = await post(`${address}/v2/version`, {});
  return Object(body).result?.data;
}

test("the version and the versions of the API are those of the service", async () => {
  const { address } = await startTestService();
  const apiVersions = new Set(operations.map(({ path }) => path.split("/")[1]));
  expect(await readVersion(address)).toEqual({
    version: packageJson.version,
    apiVersions: [...apiVersions].sort(),
    isSchemaNewer: false,
  });
});

test("a service whose database a later version has upgraded says so", async () => {
  const { address, config } = await startOwnTestService();
  const connection = { connectionString: config.databaseUrl };
  await migrate(connection, { folder: await folderWith("9999_later.sql", "create table later ();\n") });
  expect(await readVersion(address)).toMatchObject({ version: packageJson.version, isSchemaNewer: true });
});
