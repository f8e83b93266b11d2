import Type from "typebox";
import { type Context, JsonText, operation } from "../../../contract/operation.ts";
import { domainList } from "./domain.ts";
import { selectDomains } from "./domain-queries.ts";

const Domains = domainList(["*.example.com", "app.example.com"]);

/** Lists the allowed domains by name. */
export const getDomains = operation({
  path: "/v2/workspace/domains/get",
  aliases: ["/v1/workspace/domains/get"],
  summary: "Read the allowed domains",
  description:
    "Returns all allowed domains of the workspace in the form in which they are stored, ordered by name, as " +
    "`allowedDomains` and under its earlier name `domains`.",
  message: "Domains retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: Type.Object({ allowedDomains: Domains, domains: Domains }),
  example: {},
  handle,
});

async function handle({ database, workspace }: Context) {
  const domains = await selectDomains(database, workspace.id);
  return new JsonText(`{"allowedDomains":${domains},"domains":${domains}}`);
}
