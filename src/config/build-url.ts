import { isIPv6 } from "node:net";

/** Addresses at which a service that listens on all addresses is reached. */
const LOOPBACK = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** Returns the URL at which this machine reaches a service that listens on the host. */
export function buildUrl(host: string, port: number): string {
  const reachable = LOOPBACK.get(host) ?? host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
