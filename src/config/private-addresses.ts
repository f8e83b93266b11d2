import { BlockList } from "node:net";

/** IPv4 networks that are not part of the public internet (RFC 6890 and the registry of IANA). */
const PRIVATE_IPV4 = [
  ["0.0.0.0", 8], // This host and network; Linux connects 0.0.0.0 to itself.
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // Carrier-grade NAT.
  ["127.0.0.0", 8],
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

/** IPv6 networks that are not part of the public internet, or that tunnel to an IPv4 address inside of them. */
const PRIVATE_IPV6 = [
  ["::", 96], // Unspecified, loopback and IPv4-compatible.
  ["64:ff9b:1::", 48], // NAT64 within a network.
  ["100::", 64], // Discard.
  ["2001::", 23], // Protocol assignments, with Teredo.
  ["2001:db8::", 32], // Documentation.
  ["2002::", 16], // 6to4.
  ["3fff::", 20], // Documentation.
  ["5f00::", 16], // Segment routing.
  ["fc00::", 7], // Unique local.
  ["fe80::", 10], // Link-local.
  ["fec0::", 10], // Site-local, deprecated.
  ["ff00::", 8], // Multicast.
] as const;

/**
 * Returns the addresses to which tenants cannot make the service connect. Pass them as `blockList` to `net.connect`,
 * `tls.connect` or an HTTP agent: Node.js then checks the resolved address when it connects, so that a name that
 * resolves differently from one moment to the next (DNS rebinding) cannot pass.
 */
export function blockedTenantAddresses(config: { allowPrivateAddresses: boolean }): BlockList {
  const list = new BlockList();
  if (config.allowPrivateAddresses) return list;
  for (const [network, prefix] of PRIVATE_IPV4) {
    // A rule for IPv4 also matches the address when it is mapped to IPv6, as in ::ffff:10.0.0.1.
    list.addSubnet(network, prefix, "ipv4");
    // NAT64 embeds the IPv4 address in the last 32 bits. Public ones must stay reachable in networks without IPv4.
    list.addSubnet(`64:ff9b::${network}`, 96 + prefix, "ipv6");
  }
  for (const [network, prefix] of PRIVATE_IPV6) list.addSubnet(network, prefix, "ipv6");
  return list;
}
