import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { DomainList, Domains, normalizeDomains } from "./domain.ts";
import { deleteDomainRows } from "./queries.ts";

/** Deletes those that are there; the others need nothing. */
export const deleteDomains = operation({
  path: "/v2/workspace/domains/delete",
  aliases: ["/v1/workspace/domains/delete"],
  summary: "Delete allowed domains",
  description:
    "The domains are read as `/v2/workspace/domains/add` reads them. The answer lists those that were allowed; the " +
    "others are passed over, so a call may be sent again. Their pages are refused on every server within a second.",
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
