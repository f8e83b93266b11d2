import { expect, test } from "vitest";
import { organizationKey } from "../tenancy/organization-key.ts";
import { DocumentThreads } from "./yjs-document-pool.ts";

const ACME = organizationKey("workspace", "acme");
const TASK = { change: { type: "text", contentKey: "content", data: "a text" } } as const;
/** Takes more than a second of processor time. */
const SLOW_TASK = {
  change: { type: "xml", contentKey: "content", data: "<p>hello <b>x</b></p>".repeat(60_000) },
} as const;
const OVERLOADED = { status: "UNAVAILABLE", reason: "overloaded", retryAfterSeconds: 1 };

test("a document past the maximum number of waiting ones is UNAVAILABLE, and the others are changed", async () => {
  const threads = new DocumentThreads({ maxWaiting: 2, timeoutMs: 60_000 });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => threads.change(ACME, TASK)));
  const rejected = outcomes.filter(({ status }) => status === "rejected");
  expect(rejected.length).toBeGreaterThanOrEqual(10);
  expect(rejected.length).toBeLessThan(20);
  for (const outcome of rejected) expect(outcome).toMatchObject({ reason: OVERLOADED });
  expect(await threads.change(ACME, TASK)).toMatchObject({ content: '"a text"' });
});

test("a change that takes too long is UNAVAILABLE", async () => {
  const threads = new DocumentThreads({ maxWaiting: 10, timeoutMs: 100 });
  await expect(threads.change(ACME, SLOW_TASK)).rejects.toMatchObject(OVERLOADED);
});

test("an organization does not wait behind all documents of another one", async () => {
  const threads = new DocumentThreads({ maxWaiting: 100, timeoutMs: 60_000 });
  const done: string[] = [];
  const change = (name: string) =>
    threads.change(organizationKey("workspace", name), TASK).then(() => void done.push(name));
  await Promise.all([...Array.from({ length: 40 }, () => change("acme")), change("beta")]);
  expect(done.indexOf("beta")).toBeLessThan(20);
});
