import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { DomainList, Domains, normalizeDomains } from "./domain.ts";
import { deleteDomainRows } from "./queries.ts";

/** Deletes the domains that exist and ignores the others. */
export const deleteDomains = operation({
  path: "/v2/workspace/domains/delete",
  aliases: ["/v1/workspace/domains/delete"],
  summary: "Delete allowed domains",
  description:
    "Domains are normalized as by `/v2/workspace/domains/add`. The answer lists the domains that were allowed; " +
    "others are ignored, so the request can be repeated. All processes refuse their pages within a second.",
  message: "Domains deleted.",
  request: Type.Object({ domains: Domains }),
  response: Type.Object({ domainsDeleted: DomainList }),
  example: { domains: ["app.example.com"] },
  async handle({ workspace, database, workspaceChanged }, { domains: given }) {
    const domains = normalizeDomains(given);
    const deleted = await database.transaction((transaction) => deleteDomainRows(transaction, workspace.id, domains));
    workspaceChanged();
    return { domainsDeleted: domains.filter((domain) => deleted.has(domain)) };
  },
});
