import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";

const PATH = "/v2/workspace/domains/add";
const service = await startTestService();

function add(workspace: TestWorkspace, domains: string[]) {
  return workspace.data(PATH, { domains });
}

async function read(workspace: TestWorkspace): Promise<string[]> {
  return (await workspace.data("/v2/workspace/domains/get", {})).allowedDomains;
}

test("a new workspace has no allowed domains", async () => {
  expect(await read(await service.workspace())).toEqual([]);
});

test.each([PATH, "/v1/workspace/domains/add"] as const)(
  "%s returns the added domains as they are stored",
  async (path) => {
    const workspace = await service.workspace();
    const domains = ["https://www.Example.com:8443/path", "*.example.com", "http://localhost:3000", "[::1]"];
    const domainsAdded = ["example.com", "*.example.com", "localhost", "[::1]"];
    expect(await workspace.data(path, { domains })).toEqual({ domainsAdded });
    for (const version of ["v1", "v2"] as const) {
      const response = await workspace.data(`/${version}/workspace/domains/get`, {});
      const allowedDomains = domainsAdded.toSorted();
      expect(response).toEqual({ allowedDomains, domains: allowedDomains });
    }
  },
);

test("a domain that is repeated in a call is added once", async () => {
  const workspace = await service.workspace();
  const domains = ["example.com", "https://example.com", "www.example.com", "EXAMPLE.com"];
  expect(await add(workspace, domains)).toEqual({ domainsAdded: ["example.com"] });
});

test("if some domains exist the others are added, and the response is HTTP 409 INTERNAL with both lists", async () => {
  const workspace = await service.workspace();
  await add(workspace, ["a.example", "b.example"]);
  const error = await workspace.error(PATH, { domains: ["c.example", "https://b.example", "d.example", "A.example"] });
  expect(error).toEqual({
    httpStatus: 409,
    status: "INTERNAL",
    message: expect.any(String),
    details: {
      reason: "domains_skipped",
      domainsAdded: ["c.example", "d.example"],
      skippedDomains: ["b.example", "a.example"],
    },
  });
  expect(await read(workspace)).toEqual(["a.example", "b.example", "c.example", "d.example"]);
});

test("repeating a call skips every domain and changes nothing", async () => {
  const workspace = await service.workspace();
  await add(workspace, ["a.example"]);
  const { details } = await workspace.error(PATH, { domains: ["a.example"] });
  expect(details).toEqual({ reason: "domains_skipped", domainsAdded: [], skippedDomains: ["a.example"] });
  expect(await read(workspace)).toEqual(["a.example"]);
});

test("invalid domains are INVALID_ARGUMENT and named by index, and nothing is added", async () => {
  const workspace = await service.workspace();
  const error = await workspace.error(PATH, { domains: ["good.example", "no domain", "also.example", "*"] });
  expect(error).toMatchObject({
    httpStatus: 400,
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.domains\[1\] must be /),
    details: { issues: [{ path: "data.domains[1]" }, { path: "data.domains[3]" }] },
  });
  expect(await read(workspace)).toEqual([]);
});

test.each([
  ["no list", "example.com"],
  ["an empty list", []],
  ["an empty text", [""]],
  ["a number", [7]],
  ["null", [null]],
  ["101 domains", Array.from({ length: 101 }, (_, index) => `d${index}.example`)],
  ["a text of 2,049 characters", [`example.com/${"x".repeat(2037)}`]],
  ["U+0000", ["exa\0mple.com"]],
  ["a lone surrogate", ["\ud800.com"]],
  ["10,000 nested wildcards", ["*.".repeat(1000)]],
])("%s is INVALID_ARGUMENT", async (_title, domains) => {
  const workspace = await service.workspace();
  expect(await workspace.error(PATH, { domains })).toMatchObject({ httpStatus: 400, status: "INVALID_ARGUMENT" });
  expect(await read(workspace)).toEqual([]);
});

test("one call can add 100 domains", async () => {
  const workspace = await service.workspace();
  const domains = Array.from({ length: 100 }, (_, index) => `d${index}.example`);
  expect(await add(workspace, domains)).toEqual({ domainsAdded: domains });
  expect(await read(workspace)).toEqual(domains.toSorted());
});

test("a workspace has at most 10,000 domains; one more is INVALID_ARGUMENT and not added", async () => {
  const workspace = await service.workspace();
  await runSql(
    service.database,
    "insert into allowed_domains (workspace_id, domain) select $1, n || '.example' from generate_series(1, 9999) n",
    [workspace.id],
  );
  expect(await workspace.error(PATH, { domains: ["a.example", "b.example"] })).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringContaining("at most 10,000"),
  });
  expect(await add(workspace, ["a.example"])).toEqual({ domainsAdded: ["a.example"] });
  expect(await read(workspace)).toHaveLength(10_000);
});

test("of concurrent calls that add the same domains, one adds each domain and the others skip it", async () => {
  const workspace = await service.workspace();
  const domains = ["a.example", "b.example", "c.example"];
  const calls = [domains, domains.toReversed(), domains.slice(1), domains.toReversed().slice(1), domains];
  const responses = await Promise.all(calls.map((call) => workspace.call(PATH, { domains: call })));
  expect(responses.map(({ httpStatus }) => httpStatus).filter((status) => status !== 409 && status !== 200)).toEqual(
    [],
  );
  const added = responses.flatMap(
    ({ body }) => /"domainsAdded":\[([^\]]*)\]/.exec(JSON.stringify(body))?.[1]?.split(",") ?? [],
  );
  expect(added.filter(Boolean).toSorted()).toEqual(domains.map((domain) => JSON.stringify(domain)));
  expect(await read(workspace)).toEqual(domains);
});

test("two workspaces have independent domains", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await add(mine, ["a.example"]);
  expect(await read(theirs)).toEqual([]);
  expect(await add(theirs, ["a.example"])).toEqual({ domainsAdded: ["a.example"] });
});
