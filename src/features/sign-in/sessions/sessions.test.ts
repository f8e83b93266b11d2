import { describe, expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../../../test/eventually.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import {
  linkToken,
  ownedWorkspace,
  postToken,
  sameOriginHeaders,
  signIn,
  type TestSession,
} from "../../../../test/sessions.ts";
import { deleteExpiredRows } from "../../../database/expiry.ts";
import { updateOwnerEmail } from "../../workspaces/workspace-queries.ts";
import { deleteExpiredSignInRows } from "../expiry.ts";

const GET = "/v2/workspace/sessions/get";
const DELETE = "/v2/workspace/sessions/delete";
const service = await startOwnTestService();
const { address: other } = await service.secondProcess();

type Caller = TestSession | TestWorkspace;

let owners = 0;
async function owner() {
  const email = `Owner-${++owners}@Sessions.example`;
  const workspace = await ownedWorkspace(service, email);
  return { workspace, signIn: (agent?: string) => signIn(service, email.toLowerCase(), named(agent)) };
}

function named(agent = "Test Browser/1.0"): Record<string, string> {
  return { "user-agent": agent };
}

function list(caller: Caller) {
  return caller.data(GET, {});
}

describe("the list", () => {
  test("has the sessions of the same owner, oldest first, and marks the current one", async () => {
    const { signIn: enter } = await owner();
    const [first, second] = [await enter("Laptop"), await enter("Phone")];
    const sessions = await list(second);
    expect(sessions.map(({ userAgent, isCurrent }) => [userAgent, isCurrent])).toEqual([
      ["Laptop", false],
      ["Phone", true],
    ]);
    expect((await list(first)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    const [{ createdAt, lastUsedAt, expiresAt } = expect.fail()] = sessions;
    expect(Math.abs(Date.now() - createdAt)).toBeLessThan(60_000);
    expect(expiresAt - createdAt).toBe(7 * 24 * 60 * 60 * 1000);
    expect(lastUsedAt).toBeGreaterThanOrEqual(createdAt);
  });

  test("is that of the workspace's owner for an API key and an auth token, and empty without an owner", async () => {
    const [{ workspace, signIn: signInOwner }, withoutOwner] = await Promise.all([owner(), service.workspace()]);
    await signIn(service, null);
    await signInOwner("Laptop");
    expect(await list(workspace)).toEqual([expect.objectContaining({ userAgent: "Laptop", isCurrent: false })]);
    expect(await list(withoutOwner)).toEqual([]);
    expect(await withoutOwner.data(DELETE, {})).toEqual({});
  });

  test("of the operator has the operator's sessions, which owners do not see", async () => {
    const [{ signIn: enter, workspace }] = [await owner()];
    const [own, operator] = [await enter("Laptop"), await signIn(service, null, named("Terminal"))];
    const agents = async (caller: Caller) => (await list(caller)).map(({ userAgent }) => userAgent);
    expect(await agents(operator)).toContain("Terminal");
    expect(await agents(operator)).not.toContain("Laptop");
    expect(await agents(own)).toEqual(["Laptop"]);
    expect(await agents(workspace)).toEqual(["Laptop"]);
  });

  test("shows at most 256 characters of the user agent", async () => {
    const { signIn: enter } = await owner();
    const [session] = await list(await enter(`Br\u00fcser/${"x".repeat(4_000)}`));
    expect(session?.userAgent).toHaveLength(256);
  });

  test("shows the last use of a session within seconds", async () => {
    const { signIn: enter } = await owner();
    const session = await enter();
    await runSql(service.database, "update sessions set last_used_at = last_used_at - interval '1 hour'");
    const [before = expect.fail()] = await list(session);
    const later = async () => (await list(session))[0]?.lastUsedAt ?? 0;
    await expect.poll(later).toBeGreaterThan(before.lastUsedAt + 3_000_000);
  });
});

describe("ending", () => {
  test("one session by its id keeps the others; the sessions of other owners are not found", async () => {
    const [mine, theirs] = await Promise.all([owner(), owner()]);
    const [first, second, foreign] = [await mine.signIn(), await mine.signIn(), await theirs.signIn()];
    const [{ id } = expect.fail()] = await list(first);
    const [{ id: foreignId } = expect.fail()] = await list(foreign);
    const ended = await second.data(DELETE, { sessionIds: [id, foreignId, "no id"] });
    const missing = { success: false, message: "There is no such session." };
    expect(ended).toEqual({
      [id]: { success: true, message: "Session ended." },
      [foreignId]: missing,
      "no id": missing,
    });
    expect(await first.call(GET, {})).toMatchObject({ httpStatus: 403 });
    expect(await list(second)).toHaveLength(1);
    expect(await list(foreign)).toHaveLength(1);
  });

  test("all sessions signs the owner out at once here, and within a second on another process", async () => {
    const { signIn: enter } = await owner();
    const sessions = [await enter(), await enter()];
    const [first = expect.fail()] = sessions;
    for (const session of sessions) expect(await session.at(other).call(GET, {})).toMatchObject({ httpStatus: 200 });
    const ended = Object.values(await first.data(DELETE, {}));
    expect(ended).toEqual(Array(2).fill({ success: true, message: "Session ended." }));
    for (const session of sessions) {
      expect(await session.call(GET, {})).toMatchObject({ httpStatus: 403 });
      const there = () => session.at(other).call(GET, {});
      await expect.poll(there, BEFORE_CACHE_EXPIRY).toMatchObject({ httpStatus: 403 });
    }
  });

  test("with an API key and an auth token ends the owner's sessions", async () => {
    const { workspace, signIn: enter } = await owner();
    const session = await enter();
    await workspace.data(DELETE, {});
    expect(await session.call(GET, {})).toMatchObject({ httpStatus: 403 });
  });
});

test("a workspace with a new owner is inaccessible to the previous one within a second", async () => {
  const { workspace, signIn: enter } = await owner();
  const session = await enter();
  expect(await session.workspaceIds()).toEqual([workspace.id]);
  await service.database.transaction((transaction) => updateOwnerEmail(transaction, workspace.id, "b@new.example"));
  await expect.poll(() => session.call(GET, {}), BEFORE_CACHE_EXPIRY).toMatchObject({ httpStatus: 403 });
});

test("ended links and sessions and old attempts are deleted, others stay", async () => {
  const count = async () => {
    const rows = await runSql(
      service.database,
      `select (select count(*)::int from sessions) as sessions, (select count(*)::int from login_links) as links,
         (select count(*)::int from login_attempts) as attempts`,
    );
    return rows[0];
  };
  await runSql(service.database, "truncate sessions, login_links, login_attempts");
  for (const change of ["expires_at = now()", "last_used_at = now() - interval '1 day'"]) {
    await signIn(service, null);
    await runSql(service.database, `update sessions set ${change}`);
  }
  const session = await signIn(service, null);
  await linkToken(service, "a@b.example", { expiresAt: Date.now() - 1 });
  const kept = await linkToken(service, "a@b.example");
  await runSql(
    service.database,
    `insert into login_attempts select sha256(n::text::bytea), array[now()], now() - n * interval '14 minutes'
     from generate_series(0, 2) as n`,
  );
  await deleteExpiredRows(deleteExpiredSignInRows(service.database));
  expect(await count()).toEqual({ sessions: 1, links: 1, attempts: 2 });
  expect(await session.call("/v2/workspaces/get", {})).toMatchObject({ httpStatus: 200 });
  expect(await postToken(service.address, kept, sameOriginHeaders(service.address))).toMatchObject({ httpStatus: 200 });
});
