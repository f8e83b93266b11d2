import type { Scenario, SeedCall } from "./scenario.ts";

const DOMAINS = 100;
const WORKSPACE = "00000000-0000-0000-0000-000000000000";

const domainTable = `
  create table allowed_domains (
    workspace_id uuid not null,
    domain text collate "C" not null,
    primary key (workspace_id, domain)
  );
  insert into allowed_domains
  select '${WORKSPACE}', 'site-' || number || '.example' from generate_series(1, ${DOMAINS}) as number;
`;
const domainList = `
  (select json_agg(domain order by domain)::text from allowed_domains where workspace_id = $1) as domains`;

const domainsRequest = {
  path: "/v2/workspace/domains/get" as const,
  requests: [{}],
  targetRatio: 0.8,
  seed: (): SeedCall[] => [
    {
      path: "/v2/workspace/domains/add",
      data: { domains: Array.from({ length: DOMAINS }, (_, index) => `site-${index + 1}.example`) },
    },
  ],
};

/** Reading 100 allowed domains: from a backend, and from a browser whose origin must be one of them. */
export const domainScenarios: Scenario[] = [
  {
    ...domainsRequest,
    name: "domains/get",
    floor: { setup: domainTable, statement: `select ${domainList}`, values: () => [WORKSPACE] },
  },
  {
    ...domainsRequest,
    name: "domains/check",
    headers: { origin: "https://site-50.example" },
    floor: {
      setup: domainTable,
      statement: `select ${domainList},
        exists (select from allowed_domains where workspace_id = $1 and domain = any($2)) as is_allowed`,
      values: () => [WORKSPACE, ["site-50.example", "*.example"]],
    },
  },
];
