import type { Scenario } from "./scenarios.ts";

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
const list = `(select json_agg(domain order by domain)::text from allowed_domains where workspace_id = $1) as domains`;

const reading = {
  path: "/v2/workspace/domains/get",
  bodies: [JSON.stringify({ data: {} })],
  aim: 0.8,
  fill: () => [
    {
      path: "/v2/workspace/domains/add",
      data: { domains: Array.from({ length: DOMAINS }, (_, index) => `site-${index + 1}.example`) },
    },
  ],
};

/** The same reading by a backend and by a page of one of 100 allowed domains, whose origin the floor looks up. */
export const domainScenarios: Scenario[] = [
  {
    ...reading,
    name: "domains/get",
    floor: { prepare: domainTable, statement: `select ${list}`, values: () => [WORKSPACE] },
  },
  {
    ...reading,
    name: "domains/check",
    headers: { origin: "https://site-50.example" },
    floor: {
      prepare: domainTable,
      statement: `select ${list}, exists (select from allowed_domains where workspace_id = $1 and domain = any($2))
        as is_allowed`,
      values: () => [WORKSPACE, ["site-50.example", "*.example"]],
    },
  },
];
