import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";

/** Time that an attempt waits for a name server, and the number of attempts: a name takes 6 s at most (measured). */
const LIMITS = { timeout: 2_000, maxTimeout: 2_000, tries: 2 };
/** Codes of name servers that say that a name does not exist, or has no address. */
const UNKNOWN = ["ENOTFOUND", "ENODATA"];
const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK: LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Resolves a name by the name servers alone, with a limit of time. `dns.lookup` waits in a thread for as long as the
 * operating system does, and a process resolves two names at a time (20 s each, measured with a name server that does
 * not respond): names of one tenant would block those of all. It reads no file of hosts and adds no search domain,
 * whose addresses would be private. Errors have the codes of `dns.lookup`.
 */
export async function resolveName(
  name: string,
  { servers, ...limits }: { servers?: string[]; timeout?: number; maxTimeout?: number } = {},
): Promise<LookupAddress[]> {
  if (LOCALHOST.test(name)) return LOOPBACK;
  const written = toAddress(name);
  if (written) return [written];
  // Reads the settings of the operating system each time. Names that time out do not count against the next ones.
  const resolver = new Resolver({ ...LIMITS, ...limits });
  if (servers) resolver.setServers(servers);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)];
  if (found.length > 0) return found;
  const isUnknown = [ipv4, ipv6].every(
    (result) => result.status === "rejected" && UNKNOWN.includes(result.reason.code),
  );
  const code = isUnknown ? "ENOTFOUND" : "EAI_AGAIN";
  throw Object.assign(new Error(`${name} was not resolved`), { code });
}

/** Returns the IPv4 address that a name is another spelling of, such as `127.1`, if it is one. */
function toAddress(name: string): LookupAddress | undefined {
  const address = URL.parse(`http://${name}/`)?.hostname ?? "";
  return isIP(address) === 4 ? { address, family: 4 } : undefined;
}

function toAddresses(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
}
