import { once } from "node:events";
import { createServer, isIPv6, type LookupFunction, connect as netConnect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { blockedTenantAddresses } from "./private-addresses.ts";

const rejected = blockedTenantAddresses({ allowPrivateAddresses: false });

function isRejected(address: string): boolean {
  return rejected.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Returns the same IPv4 address as two groups of IPv6. */
function getGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

const PRIVATE = [
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.1.2.3"],
  ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1"],
  ...["198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"],
];
const PUBLIC = [
  ...["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ...["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0"],
  ...["198.17.255.255", "198.20.0.0", "223.255.255.255"],
];

test.each(PRIVATE)("%s is rejected, also mapped to IPv6 and behind NAT64 and 6to4", (address) => {
  const groups = getGroups(address);
  expect(
    [
      address,
      `::ffff:${address}`,
      `::ffff:${groups}`,
      `::${address}`,
      `64:ff9b::${groups}`,
      `2002:${groups}::1`,
    ].filter((form) => !isRejected(form)),
  ).toEqual([]);
});

test.each(PUBLIC)("%s is not rejected, also mapped to IPv6 and behind NAT64", (address) => {
  const groups = getGroups(address);
  expect([address, `::ffff:${address}`, `64:ff9b::${groups}`].filter(isRejected)).toEqual([]);
});

test.each([
  ...["::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "100::1"],
  ...["2001::1", "2001:db8::1", "2002:808:808::1", "3fff::1", "64:ff9b:1::808:808", "5f00::1"],
])("%s is rejected", (address) => {
  expect(isRejected(address)).toBe(true);
});

test.each(["2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "2001:4860:4860::8888", "2400:cb00::1"])(
  "%s is not rejected",
  (address) => {
    expect(isRejected(address)).toBe(false);
  },
);

test("the operator can allow every address", () => {
  const list = blockedTenantAddresses({ allowPrivateAddresses: true });
  expect([...PRIVATE, ...PUBLIC].filter((address) => list.check(address, "ipv4"))).toEqual([]);
});

/** Connects to a host, whose name resolves to the given addresses if there are any. Returns the code of the error. */
async function connect(host: string, port: number, autoSelectFamily: boolean, addresses: string[] = []) {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_name, options, done) =>
    options.all ? done(null, all) : done(null, all[0]?.address ?? "", all[0]?.family);
  const socket = netConnect({
    host,
    port,
    autoSelectFamily,
    blockList: rejected,
    ...(addresses.length > 0 && { lookup }),
  });
  try {
    await once(socket, "connect");
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  } finally {
    socket.destroy();
  }
}

test.each<[host: string, addresses?: string[]]>([
  ...["127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0", "2130706433", "0x7f.1", "127.1", "localhost"].map(
    (host): [string] => [host],
  ),
  ["mail.example.com", ["127.0.0.1"]],
  ["mail.example.com", ["::1"]],
  ["mail.example.com", ["::ffff:7f00:1"]],
  ["mail.example.com", ["127.0.0.1", "::1"]],
])("%s is rejected when it is connected to, if it resolves to %j", async (host, addresses) => {
  let connections = 0;
  const server = createServer(() => connections++).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  expect(await connect(host, port, true, addresses)).toBe("ERR_IP_BLOCKED");
  expect(await connect(host, port, false, addresses)).toBe("ERR_IP_BLOCKED");
  expect(connections).toBe(0);
});
