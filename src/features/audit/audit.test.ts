import { expect, test } from "vitest";
import { administered, newOwner } from "../../../test/administered.ts";
import { startOwnTestService, TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { ownedWorkspace, send, signIn } from "../../../test/sessions.ts";
import type { Api } from "../../operations.ts";
import { bootstrapWorkspace } from "../workspaces/bootstrap.ts";
import { createToken, revokeToken, setActivityService } from "../workspaces/workspaces.ts";

const PATH = "/v2/workspace/audit/get";
const ID = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
const CLIENT = { "x-forwarded-for": "203.0.113.9" };
const service = await startOwnTestService(() => ({ trustProxy: "127.0.0.1" }));

/** Reads entries, newest first. */
function getEntries(caller: Pick<TestWorkspace, "data">, filters: Api[typeof PATH]["request"] = {}) {
  return caller.data(PATH, filters);
}

/** The oldest entries of a workspace, newest first. */
const CREATED = [
  { action: "auth_token.add", target: { tokenId: expect.any(String), tokenName: "first" } },
  { action: "workspace.add", target: {} },
];

test("an act that is done in part has an entry that names that part", async () => {
  const { workspace } = await administered(service);
  const domains = ["old.example", "new.example"];
  expect(await workspace.call("/v2/workspace/domains/add", { domains })).toMatchObject({ httpStatus: 409 });
  expect((await getEntries(workspace))[0]?.target).toEqual({ domains: ["new.example"] });
});

test("an act whose entry cannot be written is not done", async () => {
  const own = await startOwnTestService();
  const workspace = await own.workspace();
  await runSql(own.database, "alter table audit_entries add constraint refused check (action <> 'domain.add')");
  expect(await workspace.call("/v2/workspace/domains/add", { domains: ["new.example"] })).toMatchObject({
    httpStatus: 500,
  });
  expect(await workspace.data("/v2/workspace/domains/get", {})).toMatchObject({ domains: [] });
});

test("a session acts as its owner, and its begin and end are recorded in all workspaces of the owner", async () => {
  const email = newOwner();
  const [one, two] = [await ownedWorkspace(service, email), await ownedWorkspace(service, email)];
  const session = await signIn(service, email, CLIENT);
  await session.data("/v2/workspace/domains/add", { domains: ["new.example"] }, { "x-colloquy-workspace": two.id });
  await send(`${service.address}/console/session/end`, {}, session.headers);
  const actor = { type: "session", id: ID, name: email };
  const target = { sessionIds: [ID] };
  const begin = { action: "session.begin", actor, clientAddress: "203.0.113.9", target };
  const end = { action: "session.end", actor, clientAddress: "127.0.0.1", target };
  expect(await getEntries(one)).toMatchObject([end, begin, ...CREATED]);
  expect(await getEntries(two)).toMatchObject([end, { action: "domain.add", actor }, begin, ...CREATED]);
});

test("a browser that signs in again ends its previous session, which is recorded too", async () => {
  const { workspace, session, email } = await administered(service);
  await signIn(service, email, { cookie: session.cookie });
  expect((await getEntries(workspace)).map(({ action }) => action).slice(0, 3)).toEqual([
    "session.begin",
    "session.end",
    "session.begin",
  ]);
});

test("only sessions of the operator see those of the operator", async () => {
  const { workspace, session } = await administered(service);
  const operator = await signIn(service, null);
  const ofOperator = { action: "session.begin", actor: { type: "session", id: ID, name: null } };
  const named = { "x-colloquy-workspace": workspace.id };
  expect((await operator.data(PATH, {}, named))[0]).toMatchObject(ofOperator);
  expect((await operator.data(PATH, {}, named)).at(-1)).toMatchObject({ action: "workspace.add" });
  for (const caller of [workspace, session])
    expect(await getEntries(caller)).not.toContainEqual(expect.objectContaining(ofOperator));
});

test("sessions that a request ends are recorded in all workspaces of the owner", async () => {
  const email = newOwner();
  const [one, two] = [await ownedWorkspace(service, email), await ownedWorkspace(service, email)];
  await signIn(service, email);
  await one.data("/v2/workspace/sessions/delete", {});
  const [begin] = await getEntries(two, { actions: ["session.begin"] });
  const end = { action: "session.end", actor: { type: "token", id: ID, name: "first" }, target: begin?.target };
  for (const workspace of [one, two]) expect((await getEntries(workspace))[0]).toMatchObject(end);
});

test("only sessions of the operator see that one of them has ended another", async () => {
  const { workspace, session } = await administered(service);
  const named = { "x-colloquy-workspace": workspace.id };
  await signIn(service, null);
  const operator = await signIn(service, null);
  const sessions = await operator.data("/v2/workspace/sessions/get", {}, named);
  const sessionIds = sessions.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id);
  await operator.data("/v2/workspace/sessions/delete", { sessionIds }, named);
  const [entry] = await operator.data(PATH, {}, named);
  const target = { sessionIds: expect.arrayContaining(sessionIds) };
  expect(entry).toMatchObject({ action: "session.end", actor: { type: "session", id: ID, name: null }, target });
  for (const caller of [workspace, session])
    expect((await getEntries(caller)).map(({ id }) => id)).not.toContain(entry?.id);
});

test("what the command line does is recorded, without a client", async () => {
  const workspace = await service.workspace();
  const { database } = service;
  const { tokenId } = await createToken(database, { workspaceId: workspace.id, name: "cron", expiresAt: undefined });
  await setActivityService(database, workspace.id, false);
  await revokeToken(database, tokenId);
  const byOperator = { actor: { type: "command_line", id: null, name: null }, clientAddress: null };
  expect(await getEntries(workspace)).toMatchObject([
    { ...byOperator, action: "auth_token.delete", target: { tokenIds: [tokenId] } },
    { ...byOperator, action: "activity_config.update", target: { fields: ["isEnabled"] } },
    { ...byOperator, action: "auth_token.add", target: { tokenId, tokenName: "cron" } },
    ...CREATED.map((entry) => ({ ...byOperator, ...entry })),
  ]);
});

test("what a start creates and changes is recorded, and a start that changes nothing has no entry", async () => {
  const { bootstrap = expect.fail(), dataDir } = service.config;
  const workspace = new TestWorkspace(service.address, { workspaceId: "", ...bootstrap });
  for (const ownerEmail of ["ada@acme.example", "ada@acme.example"]) {
    await bootstrapWorkspace(service.database, { bootstrap: { ...bootstrap, ownerEmail }, dataDir });
  }
  expect(await getEntries(workspace)).toMatchObject([
    { action: "workspace.update", actor: { type: "command_line" }, target: { fields: ["ownerEmail"] } },
    { action: "auth_token.add", actor: { type: "command_line" }, target: { tokenName: "bootstrap" } },
    { action: "workspace.add", actor: { type: "command_line" } },
  ]);
});
