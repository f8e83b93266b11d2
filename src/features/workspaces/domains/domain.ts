import { isIPv4, isIPv6 } from "node:net";
import Type from "typebox";
import { hostName } from "../../../config/host-name.ts";
import { invalidFields } from "../../../contract/errors.ts";
import type { Queryable } from "../../../database/statement.ts";
import { existsDomain, existsDomainOfOwner } from "./domain-queries.ts";

/** Maximum length of an entry, long enough for a URL with a path. */
const MAX_LENGTH = 2048;
const PARTS = /^(?:[a-z][a-z\d+.-]*:\/\/)?([^/?#]+)/i;
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/;
const DOMAIN_ERROR = "must be a domain, *. in front of one, localhost or an IP address";

export const Domains = Type.Array(Type.String({ minLength: 1, maxLength: MAX_LENGTH }), { minItems: 1, maxItems: 100 });

/** Returns the schema of a list of stored domains. */
export function domainList(example: string[]) {
  return Type.Array(Type.String(), { description: "Hosts, or `*.` in front of one.", examples: [example] });
}

/** Returns the domains in their stored form, each once. Throws INVALID_ARGUMENT that names each invalid one. */
export function normalizeDomains(given: string[]): string[] {
  const domains = given.map(normalizeDomain);
  const [first, ...others] = domains.flatMap((domain, index) =>
    domain === undefined ? [{ path: `data.domains[${index}]`, message: DOMAIN_ERROR }] : [],
  );
  if (first) throw invalidFields(first, ...others);
  return [...new Set(domains.filter((domain) => domain !== undefined))];
}

/** Returns whether the workspace, or any workspace if none is named, has a domain that matches the host. */
export async function isHostAllowed(
  database: Queryable,
  host: string,
  workspaceId: string | undefined,
): Promise<boolean> {
  const patterns = getPatterns(host);
  return patterns.length > 0 && existsDomain(database, patterns, workspaceId);
}

/** Returns whether a workspace of the owner has a domain that matches; the address is in the compared form. */
export async function isHostAllowedByOwner(database: Queryable, host: string, ownerAddress: string): Promise<boolean> {
  const patterns = getPatterns(host);
  return patterns.length > 0 && existsDomainOfOwner(database, patterns, ownerAddress);
}

/** Returns the domains that allow the host. */
function getPatterns(host: string): string[] {
  const normal = normalizeDomain(host);
  return normal === undefined || normal.startsWith("*") ? [] : [normal, ...getWildcards(host)];
}

/** Returns the stored form, or undefined if it names no host. Drops `www.` in front of a domain; www.com keeps it. */
export function normalizeDomain(given: string): string | undefined {
  const [, authority = ""] = PARTS.exec(given) ?? [];
  const [, host = ""] = isIPv6(authority) ? [authority, `[${authority}]`] : (HOST_AND_PORT.exec(authority) ?? []);
  // No web page has an address with a zone, which names a network of one machine.
  if (host.startsWith("[")) return isIPv6(host.slice(1, -1)) ? URL.parse(`http://${host}`)?.hostname : undefined;
  if (isIPv4(host)) return host;
  if (!host.startsWith("*.")) return hostName(host)?.replace(/^(www\.)+(?=[^.]+\.)/, "");
  const name = hostName(host.slice(2));
  return name && `*.${name}`;
}

/** Returns `*.b.example` and `*.example` for `a.b.example`: a wildcard stands for one label or more. */
function getWildcards(host: string): string[] {
  const labels = (hostName(host) ?? "").split(".");
  return labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`);
}
