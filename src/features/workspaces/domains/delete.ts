import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Domains, domainList, normalizeDomains } from "./domain.ts";
import { deleteDomainRows } from "./domain-queries.ts";

const SKIPPED = "Domains that were not allowed were skipped. domainsRemoved has the removed ones.";
const ALL_SKIPPED = "None of these domains was allowed.";

const Request = Type.Object({ domains: Domains });

/** Deletes the domains that exist, and fails if others do not. */
export const deleteDomains = operation({
  path: "/v2/workspace/domains/delete",
  aliases: ["/v1/workspace/domains/delete"],
  summary: "Delete allowed domains",
  description:
    "Domains are normalized as by `/v2/workspace/domains/add`. The response lists the removed domains. If some were " +
    "not allowed, the others are removed and the response is the error `INTERNAL` with HTTP 409, whose `details` " +
    "list both. All processes reject the pages of removed domains within a second.",
  message: "Domains deleted.",
  scope: "admin",
  request: Request,
  deletes: ["domains"],
  response: Type.Object({ domainsRemoved: domainList(["app.example.com"]) }),
  audit: "domain.delete",
  errors: [
    {
      status: "INTERNAL",
      httpStatus: 409,
      message: SKIPPED,
      details: {
        reason: "domains_not_allowed",
        domainsRemoved: ["app.example.com"],
        skippedDomains: ["old.example.com"],
      },
    },
  ],
  example: { domains: ["app.example.com"] },
  handle,
});

async function handle(
  { database, workspace, audit, workspaceChanged }: Context,
  { domains: given }: Static<typeof Request>,
) {
  const domains = normalizeDomains(given);
  const deleted = await database.transaction(async (transaction) => {
    const rows = await deleteDomainRows(transaction, workspace.id, domains);
    if (rows.size > 0) await audit(transaction, { domains: [...rows] });
    return rows;
  });
  workspaceChanged();
  const domainsRemoved = domains.filter((domain) => deleted.has(domain));
  const skippedDomains = domains.filter((domain) => !deleted.has(domain));
  if (skippedDomains.length === 0) return { domainsRemoved };
  const message = domainsRemoved.length === 0 ? ALL_SKIPPED : SKIPPED;
  throw new ServiceError("domains_not_allowed", message, {
    details: { domainsRemoved, skippedDomains },
    keepsChanges: true,
  });
}
