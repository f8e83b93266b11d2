import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";

const PATH = "/v2/workspace/domains/delete";
const service = await startTestService();

async function workspaceWith(domains: string[]): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/domains/add", { domains });
  return workspace;
}

async function read(workspace: TestWorkspace): Promise<string[]> {
  return (await workspace.data("/v2/workspace/domains/get", {})).allowedDomains;
}

test.each([PATH, "/v1/workspace/domains/delete"] as const)(
  "%s deletes the given domains in any notation",
  async (path) => {
    const workspace = await workspaceWith(["a.example", "*.a.example", "b.example"]);
    const domains = ["https://www.A.example:80/x", "*.a.example"];
    expect(await workspace.data(path, { domains })).toEqual({ domainsRemoved: ["a.example", "*.a.example"] });
    expect(await read(workspace)).toEqual(["b.example"]);
  },
);

test("if some domains are missing the others are deleted, and the response is INTERNAL with both lists", async () => {
  const workspace = await workspaceWith(["a.example", "b.example"]);
  const domains = ["missing.example", "a.example", "A.EXAMPLE"];
  const error = { httpStatus: 409, status: "INTERNAL", message: expect.any(String) };
  const lists = { domainsRemoved: ["a.example"], skippedDomains: ["missing.example"] };
  expect(await workspace.error(PATH, { domains })).toEqual({
    ...error,
    details: { reason: "domains_not_allowed", ...lists },
  });
  expect(await read(workspace)).toEqual(["b.example"]);
});

test("a repeated call deletes nothing and skips every domain", async () => {
  const workspace = await workspaceWith(["a.example"]);
  await workspace.data(PATH, { domains: ["a.example"] });
  const { details } = await workspace.error(PATH, { domains: ["a.example"] });
  expect(details).toEqual({ reason: "domains_not_allowed", domainsRemoved: [], skippedDomains: ["a.example"] });
});

test("a wildcard deletes only itself, not the domains that it matches", async () => {
  const workspace = await workspaceWith(["*.a.example", "b.a.example"]);
  expect(await workspace.data(PATH, { domains: ["*.a.example"] })).toEqual({ domainsRemoved: ["*.a.example"] });
  expect(await read(workspace)).toEqual(["b.a.example"]);
});

test("invalid domains are INVALID_ARGUMENT and named by index, and nothing is deleted", async () => {
  const workspace = await workspaceWith(["a.example"]);
  expect(await workspace.error(PATH, { domains: ["a.example", "no domain"] })).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.domains\[1\] must be /),
  });
  expect(await read(workspace)).toEqual(["a.example"]);
});

test("the domain of another workspace is not found and stays", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), workspaceWith(["a.example"])]);
  const { details } = await mine.error(PATH, { domains: ["a.example"] });
  expect(details).toMatchObject({ domainsRemoved: [], skippedDomains: ["a.example"] });
  expect(await read(theirs)).toEqual(["a.example"]);
});

test("of concurrent calls that delete the same domains, each domain is deleted by one", async () => {
  const domains = ["a.example", "b.example", "c.example"];
  const workspace = await workspaceWith(domains);
  const calls = [domains, domains.toReversed(), domains, domains.toReversed()];
  const responses = await Promise.all(calls.map((call) => workspace.call(PATH, { domains: call })));
  const removed = responses.flatMap(
    ({ body }) => /"domainsRemoved":\[([^\]]*)\]/.exec(JSON.stringify(body))?.[1]?.split(",") ?? [],
  );
  expect(removed.filter(Boolean).toSorted()).toEqual(domains.map((domain) => JSON.stringify(domain)));
});
