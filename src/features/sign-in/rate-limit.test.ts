import { beforeEach, expect, test } from "vitest";
import { post, startOwnTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { ownedWorkspace } from "../../../test/sessions.ts";

const service = await startOwnTestService(() => ({ trustProxy: true }));
const { address: other } = await service.secondProcess();

beforeEach(async () => {
  await runSql(service.database, "truncate login_attempts");
});

let numbers = 0;
function newAddress(): string {
  return `ada-${++numbers}@acme.example`;
}

function ask(email: string, client: string, address = service.address) {
  return post(`${address}/v2/workspace/email/send-login-link`, { email }, { "x-forwarded-for": client });
}

/** Returns how many requests are accepted, each from its own client and for its own address by default. */
async function accepted(count: number, fields: { email?: string; client?: string }, address?: string) {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      ask(fields.email ?? newAddress(), fields.client ?? `10.0.${numbers % 250}.${index}`, address),
    ),
  );
  for (const { httpStatus, headers, body } of responses.filter((response) => response.httpStatus !== 200)) {
    expect(httpStatus).toBe(429);
    expect(body).toMatchObject({ error: { details: { reason: "rate_limited" } } });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(14 * 60);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(15 * 60);
  }
  return responses.filter(({ httpStatus }) => httpStatus === 200).length;
}

test("of 40 concurrent requests for one address in any case, at two processes, five are accepted", async () => {
  const email = newAddress();
  const counts = await Promise.all([accepted(20, { email }), accepted(20, { email: email.toUpperCase() }, other)]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(5);
  expect(await accepted(1, {})).toBe(1);
});

test("requests for an owner and for a stranger count equally", async () => {
  const email = newAddress();
  await ownedWorkspace(service, email);
  expect(await accepted(12, { email })).toBe(5);
});

test("of 50 concurrent requests of one client for any addresses, twenty are accepted", async () => {
  expect(await accepted(50, { client: "203.0.113.7" })).toBe(20);
  expect(await accepted(1, { client: "203.0.113.8" })).toBe(1);
});

test("a rejected request does not count", async () => {
  const [email, client] = [newAddress(), "198.51.100.9"];
  expect(await accepted(5, { email })).toBe(5);
  expect(await accepted(30, { email, client })).toBe(0);
  expect(await accepted(30, { client })).toBe(20);
});

test("a request does not count after 15 minutes", async () => {
  const email = newAddress();
  expect(await accepted(5, { email })).toBe(5);
  const age = (minutes: number) =>
    runSql(
      service.database,
      `update login_attempts set times[1] = times[1] - make_interval(mins => $1) where cardinality(times) = 5`,
      [minutes],
    );
  await age(14);
  const rejected = await ask(email, "10.9.9.9");
  expect(Number(rejected.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  await age(1);
  expect(await accepted(3, { email })).toBe(1);
});

test("addresses of owners and clients are stored only as keyed hashes", async () => {
  await accepted(1, { email: "someone@acme.example", client: "203.0.113.7" });
  const rows = await runSql(service.database, "select octet_length(subject_hash) as bytes from login_attempts");
  expect(rows).toEqual([{ bytes: 32 }, { bytes: 32 }]);
});
