import { expect, test } from "vitest";
import { isPublicAddress } from "./public-addresses.ts";

/** Returns the same IPv4 address as two groups of IPv6. */
function getGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

const PRIVATE = [
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.1.2.3"],
  ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1"],
  ...[
    "168.63.129.16",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
  ],
];
const PUBLIC = [
  ...["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ...["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0"],
  ...["198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.15", "168.63.129.17"],
];

test.each(PRIVATE)("%s is not public, also mapped to IPv6 and behind NAT64 and 6to4", (address) => {
  const groups = getGroups(address);
  expect(
    [
      address,
      `::ffff:${address}`,
      `::ffff:${groups}`,
      `::${address}`,
      `64:ff9b::${groups}`,
      `::ffff:0:${groups}`,
      `2002:${groups}::1`,
    ].filter(isPublicAddress),
  ).toEqual([]);
});

test.each(PUBLIC)("%s is public, also mapped to IPv6 and behind NAT64", (address) => {
  const groups = getGroups(address);
  const forms = [address, `::ffff:${address}`, `64:ff9b::${groups}`];
  expect(forms.filter(isPublicAddress)).toEqual(forms);
});

test.each([
  ...["::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "100::1"],
  ...["2001::1", "2001:db8::1", "2002:808:808::1", "3fff::1", "64:ff9b:1::808:808", "5f00::1"],
  ...["4000::1", "e000::1", "fe80::1%lo", "::1%lo", "::ffff:127.0.0.1%lo", "::ffff:0:808:808"],
  ...["", "localhost", "127.1", "2130706433", "[2606:4700:4700::1111]", "1.1.1.1 "],
])("%j is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "2001:4860:4860::8888", "2400:cb00::1"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
