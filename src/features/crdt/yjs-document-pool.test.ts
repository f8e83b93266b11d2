import { expect, test } from "vitest";
import { organizationKey } from "../tenancy/organization-key.ts";
import { type DocumentOwner, DocumentThreads } from "./yjs-document-pool.ts";

function getOwner(workspaceId: string, organizationId: string): DocumentOwner {
  return { workspaceId, organizationKey: organizationKey(workspaceId, organizationId) };
}

const ACME = getOwner("workspace", "acme");
const TASK = { type: "text", contentKey: "content", data: "a text" } as const;
/** Takes more than a second of processor time. */
const SLOW_TASK = { type: "xml", contentKey: "content", data: "<p>hello <b>x</b></p>".repeat(60_000) } as const;
const OVERLOADED = { status: "UNAVAILABLE", reason: "overloaded", retryAfterSeconds: 1 };

test("a document past the maximum number of waiting ones is UNAVAILABLE, and the others are changed", async () => {
  const threads = new DocumentThreads({ maxWaiting: 2, timeoutMs: 60_000 });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => threads.run(ACME, "change", TASK)));
  const rejected = outcomes.filter(({ status }) => status === "rejected");
  expect(rejected.length).toBeGreaterThanOrEqual(10);
  expect(rejected.length).toBeLessThan(20);
  for (const outcome of rejected) expect(outcome).toMatchObject({ reason: OVERLOADED });
  expect(await threads.run(ACME, "change", TASK)).toMatchObject({ content: '"a text"' });
});

test("a change that takes too long is UNAVAILABLE", async () => {
  const threads = new DocumentThreads({ maxWaiting: 10, timeoutMs: 100 });
  await expect(threads.run(ACME, "change", SLOW_TASK)).rejects.toMatchObject(OVERLOADED);
});

test.each([
  ["an organization does not wait behind all documents of another one", 1, getOwner("workspace", "beta")],
  ["a workspace does not wait behind all organizations of another one", 30, getOwner("other", "acme")],
])("%s", async (_, organizations, last) => {
  const threads = new DocumentThreads({ maxWaiting: 100, timeoutMs: 60_000 });
  const done: DocumentOwner[] = [];
  const change = (owner: DocumentOwner) => threads.run(owner, "change", TASK).then(() => void done.push(owner));
  const first = Array.from({ length: 60 }, (_, index) => getOwner("workspace", `acme-${index % organizations}`));
  await Promise.all([...first, last].map(change));
  expect(done.indexOf(last)).toBeLessThan(15);
});
