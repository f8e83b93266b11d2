import { expect, test } from "vitest";
import { startNameServer } from "../../test/name-server.ts";
import { resolveName } from "./resolve-name.ts";

const LOOPBACK = { address: "127.0.0.1", family: 4 };

test("a name is resolved by the name servers, and one without an address is unknown", async () => {
  const { address } = await startNameServer();
  const servers = [address];
  expect(await resolveName("known.example", { servers })).toEqual([LOOPBACK]);
  await expect(resolveName("unknown.example", { servers })).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test("a name server that does not respond is given up", async () => {
  const { address, names } = await startNameServer();
  const begun = performance.now();
  const limits = { servers: [address], timeout: 100, maxTimeout: 100 };
  await expect(resolveName("silent.example", limits)).rejects.toMatchObject({ code: "EAI_AGAIN" });
  expect(names).toEqual(new Set(["silent.example"]));
  // The operating system waits for 10 s and more.
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test.each(["localhost", "LOCALHOST.", "a.localhost", "127.1", "0x7f000001", "2130706433"])(
  "%s is loopback without a name server",
  async (name) => {
    const { address, names } = await startNameServer();
    expect(await resolveName(name, { servers: [address] })).toContainEqual(LOOPBACK);
    expect(names).toEqual(new Set());
  },
);
