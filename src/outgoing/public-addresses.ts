import { BlockList, isIP } from "node:net";

/** IPv4 networks that are not part of the public internet (RFC 6890 and the registry of IANA). */
const PRIVATE_IPV4 = [
  ["0.0.0.0", 8], // This host and network; Linux connects 0.0.0.0 to itself.
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // Carrier-grade NAT.
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // Azure's services for its own virtual machines, on a public address.
  ["169.254.0.0", 16], // Link-local, with the metadata services of clouds.
  ["172.16.0.0", 12],
  ["192.0.0.0", 24], // Protocol assignments.
  ["192.0.2.0", 24], // Documentation.
  ["192.88.99.0", 24], // Relays of 6to4.
  ["192.168.0.0", 16],
  ["198.18.0.0", 15], // Benchmarks.
  ["198.51.100.0", 24], // Documentation.
  ["203.0.113.0", 24], // Documentation.
  ["224.0.0.0", 4], // Multicast.
  ["240.0.0.0", 4], // Reserved, with the broadcast address.
] as const;

/**
 * IPv6 networks of which addresses can be public: the global unicast addresses, and the prefixes under which the last
 * 32 bits are an IPv4 address. All others are private or assigned to nobody.
 */
const PUBLIC_IPV6 = [
  ["2000::", 3],
  ["::ffff:0:0", 96], // IPv4-mapped: the operating system connects to the IPv4 address.
  ["64:ff9b::", 96], // NAT64. Public IPv4 addresses must stay reachable in networks without IPv4.
] as const;

/** Networks within 2000::/3 that are not part of the public internet, or that tunnel to an IPv4 address. */
const PRIVATE_IPV6 = [
  ["2001::", 23], // Protocol assignments, with Teredo.
  ["2001:db8::", 32], // Documentation.
  ["2002::", 16], // 6to4.
  ["3fff::", 20], // Documentation.
] as const;

const PUBLIC = new BlockList();
const PRIVATE = new BlockList();
for (const [network, prefix] of PRIVATE_IPV4) {
  PRIVATE.addSubnet(network, prefix, "ipv4");
  for (const embedded of ["::ffff:", "64:ff9b::"]) PRIVATE.addSubnet(`${embedded}${network}`, 96 + prefix, "ipv6");
}
for (const [network, prefix] of PRIVATE_IPV6) PRIVATE.addSubnet(network, prefix, "ipv6");
for (const [network, prefix] of PUBLIC_IPV6) PUBLIC.addSubnet(network, prefix, "ipv6");

/** Returns whether a text is an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 6) return PUBLIC.check(address, "ipv6") && !PRIVATE.check(address, "ipv6");
  return version === 4 && !PRIVATE.check(address, "ipv4");
}
