import ipaddr from "ipaddr.js";

/** Returns the IPv4 address, or the first 64 bits of an IPv6 address: one client has all of such a network. */
export function getClient(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(":");
}
