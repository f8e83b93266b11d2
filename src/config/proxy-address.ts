import ipaddr from "ipaddr.js";

/** Names of address ranges that TRUST_PROXY accepts. */
const RANGE_NAMES = ["loopback", "linklocal", "uniquelocal"];

/** Returns whether TRUST_PROXY accepts the text: an IP address, a network, or the name of a range. */
export function isProxy(text: string): boolean {
  return RANGE_NAMES.includes(text) || isAddress(text) || isNetwork(text);
}

/** Excludes IPv4 in fewer than four parts, such as `10.1`, which is most likely a mistake. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** Excludes a prefix of 0 bits: `true` says outright that every address is a proxy. */
function isNetwork(text: string): boolean {
  const isValid = ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
  return isValid && ipaddr.parseCIDR(text)[1] > 0;
}
