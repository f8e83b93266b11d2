import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";

const PATH = "/v2/workspace/domains/delete";
const service = await startTestService();

async function workspaceWith(domains: string[]): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/domains/add", { domains });
  return workspace;
}

function read(workspace: TestWorkspace) {
  return workspace.data("/v2/workspace/domains/get", {});
}

test.each([PATH, "/v1/workspace/domains/delete"] as const)(
  "%s deletes the given domains in any notation",
  async (path) => {
    const workspace = await workspaceWith(["a.example", "*.a.example", "b.example"]);
    const domains = ["https://www.A.example:80/x", "*.a.example"];
    expect(await workspace.data(path, { domains })).toEqual({ domainsDeleted: ["a.example", "*.a.example"] });
    expect(await read(workspace)).toEqual({ domains: ["b.example"] });
  },
);

test("missing domains are ignored, and a repeated call deletes nothing", async () => {
  const workspace = await workspaceWith(["a.example"]);
  const domains = ["missing.example", "a.example", "A.EXAMPLE"];
  expect(await workspace.data(PATH, { domains })).toEqual({ domainsDeleted: ["a.example"] });
  expect(await workspace.data(PATH, { domains })).toEqual({ domainsDeleted: [] });
});

test("a wildcard deletes only itself, not the domains that it matches", async () => {
  const workspace = await workspaceWith(["*.a.example", "b.a.example"]);
  expect(await workspace.data(PATH, { domains: ["*.a.example"] })).toEqual({ domainsDeleted: ["*.a.example"] });
  expect(await read(workspace)).toEqual({ domains: ["b.a.example"] });
});

test("invalid domains are INVALID_ARGUMENT and named by index, and nothing is deleted", async () => {
  const workspace = await workspaceWith(["a.example"]);
  expect(await workspace.error(PATH, { domains: ["a.example", "no domain"] })).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.domains\[1\] must be /),
  });
  expect(await read(workspace)).toEqual({ domains: ["a.example"] });
});

test("the domain of another workspace is not found and stays", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), workspaceWith(["a.example"])]);
  expect(await mine.data(PATH, { domains: ["a.example"] })).toEqual({ domainsDeleted: [] });
  expect(await read(theirs)).toEqual({ domains: ["a.example"] });
});

test("of concurrent calls that delete the same domains, each domain is deleted by one", async () => {
  const domains = ["a.example", "b.example", "c.example"];
  const workspace = await workspaceWith(domains);
  const calls = [domains, domains.toReversed(), domains, domains.toReversed()];
  const answers = await Promise.all(calls.map((call) => workspace.data(PATH, { domains: call })));
  expect(answers.flatMap(({ domainsDeleted }) => domainsDeleted).toSorted()).toEqual(domains);
});
