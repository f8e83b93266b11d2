import { isIPv4, isIPv6 } from "node:net";
import Type from "typebox";
import { hostName } from "../../../config/host-name.ts";
import { invalidFields } from "../../../contract/errors.ts";
import type { Queryable } from "../../../database/statement.ts";
import { existsDomain, existsDomainOfOwner } from "./queries.ts";

/** Long enough for an address with a path. */
const MAX_LENGTH = 2048;
const PARTS = /^(?:[a-z][a-z\d+.-]*:\/\/)?([^/?#]+)/i;
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/;
const FAULT = "must be a domain, *. in front of one, localhost or an IP address";

export const Domains = Type.Array(Type.String({ minLength: 1, maxLength: MAX_LENGTH }), { minItems: 1, maxItems: 100 });
export const DomainList = Type.Array(Type.String(), {
  description: "Hosts, or `*.` in front of one.",
  examples: [["example.com", "*.example.com"]],
});

/** The domains as they are kept, each once, in the order given. Throws INVALID_ARGUMENT that names each wrong one. */
export function normalizeDomains(given: string[]): string[] {
  const domains = given.map(normalizeDomain);
  const [first, ...others] = domains.flatMap((domain, index) =>
    domain === undefined ? [{ path: `data.domains[${index}]`, message: FAULT }] : [],
  );
  if (first) throw invalidFields(first, ...others);
  return [...new Set(domains.filter((domain) => domain !== undefined))];
}

/** Whether the workspace, or where none is named any workspace, has a domain that matches the host. */
export async function isHostAllowed(
  database: Queryable,
  host: string,
  workspaceId: string | undefined,
): Promise<boolean> {
  const patterns = patternsOf(host);
  return patterns.length > 0 && existsDomain(database, patterns, workspaceId);
}

/** Whether a workspace of the owner has one; the address is in the form that is compared. */
export async function isHostAllowedByOwner(database: Queryable, host: string, ownerAddress: string): Promise<boolean> {
  const patterns = patternsOf(host);
  return patterns.length > 0 && existsDomainOfOwner(database, patterns, ownerAddress);
}

/** The domains that allow the host. */
function patternsOf(host: string): string[] {
  const normal = normalizeDomain(host);
  return normal === undefined || normal.startsWith("*") ? [] : [normal, ...wildcardsOf(host)];
}

/** Undefined for what names no host. `www.` goes only where a domain stands behind it: www.com keeps its own. */
export function normalizeDomain(given: string): string | undefined {
  const [, authority = ""] = PARTS.exec(given) ?? [];
  const [, host = ""] = isIPv6(authority) ? [authority, `[${authority}]`] : (HOST_AND_PORT.exec(authority) ?? []);
  if (host.startsWith("[")) return isIPv6(host.slice(1, -1)) ? new URL(`http://${host}`).hostname : undefined;
  if (isIPv4(host)) return host;
  if (!host.startsWith("*.")) return hostName(host)?.replace(/^(www\.)+(?=[^.]+\.)/, "");
  const name = hostName(host.slice(2));
  return name && `*.${name}`;
}

/** `*.b.example` and `*.example` of `a.b.example`: a wildcard stands for one label or more. */
function wildcardsOf(host: string): string[] {
  const labels = (hostName(host) ?? "").split(".");
  return labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`);
}
