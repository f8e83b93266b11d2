import Type, { type Static } from "typebox";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import { invalidField, ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Domains, domainList, normalizeDomains } from "./domain.ts";
import { insertDomainRows } from "./domain-queries.ts";

const SKIPPED = "Domains that existed already were skipped. domainsAdded has the new ones.";
const ALL_SKIPPED = "All of these domains existed already and were skipped.";

const Request = Type.Object({ domains: Domains });

/** Adds the domains that are missing, and fails if others existed. */
export const addDomains = operation({
  path: "/v2/workspace/domains/add",
  aliases: ["/v1/workspace/domains/add"],
  summary: "Allow domains",
  description:
    "Allows pages of these domains to call the API from browsers. Scheme, `www.`, port, path and case are " +
    "dropped, and internationalized names become punycode. `*.example.com` allows every name below `example.com` " +
    "at any depth, so all of them should be yours, but not `example.com` itself; `example.com` also allows " +
    "`www.example.com`. `localhost` and IP addresses are accepted. If one domain is invalid, none is added. If " +
    "some are allowed already, the others are added and the response is the error `INTERNAL` with HTTP 409, whose " +
    "`details` list both.\n\nA request " +
    "with an `Origin` header is accepted only if the host of the origin is allowed; all processes apply a change " +
    "within a second. A request without it comes from a backend and is not restricted. A workspace has at most " +
    "10,000 domains.",
  message: "Domains added.",
  scope: "admin",
  request: Request,
  response: Type.Object({ domainsAdded: domainList(["app.example.com", "*.example.com"]) }),
  audit: "domain.add",
  errors: [
    {
      status: "INTERNAL",
      httpStatus: 409,
      message: SKIPPED,
      details: { reason: "domains_skipped", domainsAdded: ["*.example.com"], skippedDomains: ["example.com"] },
    },
  ],
  example: { domains: ["https://app.example.com", "*.example.com"] },
  handle,
});

async function handle(
  { database, workspace, audit, workspaceChanged }: Context,
  { domains: given }: Static<typeof Request>,
) {
  const domains = normalizeDomains(given);
  const added = await database.transaction(async (transaction) => {
    const result = await insertDomainRows(transaction, workspace.id, domains);
    if (result.count > RECORD_LIMITS.domains) {
      throw invalidField("data.domains", `would make ${result.count} domains; a workspace has at most 10,000`);
    }
    if (result.added.size > 0) await audit(transaction, { domains: [...result.added] });
    return result.added;
  });
  workspaceChanged();
  const domainsAdded = domains.filter((domain) => added.has(domain));
  const skippedDomains = domains.filter((domain) => !added.has(domain));
  if (skippedDomains.length === 0) return { domainsAdded };
  const message = domainsAdded.length === 0 ? ALL_SKIPPED : SKIPPED;
  throw new ServiceError("domains_skipped", message, {
    details: { domainsAdded, skippedDomains },
    keepsChanges: true,
  });
}
