import { expect, test } from "vitest";
import { openEventStream } from "../event-streams.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { startOwnTestService } from "../harness.ts";
import { addPresence, readPresence } from "../presence.ts";
import { runSql } from "../run-sql.ts";
import { ServiceProcess } from "../service-process.ts";
import { tokenFor } from "../user-tokens.ts";

const { documentId } = SCOPE;

async function startWithDocument() {
  const service = await startOwnTestService();
  const workspace = await service.workspace();
  await addPresence(workspace, [{ userId: "backend", status: "offline" }]);
  const connect = async (userId: string, address: string) => {
    const headers = { authorization: `Bearer ${await tokenFor(workspace, userId)}` };
    return openEventStream(workspace, address, { query: { documentId }, headers });
  };
  const statuses = async () =>
    Object.fromEntries((await readPresence(workspace)).map(({ userId, status }) => [userId, status]));
  const becomes = (expected: object) => eventually(async () => expect(await statuses()).toMatchObject(expected));
  return { service, connect, becomes };
}

test("users whose process is killed go offline with an event, unless another process has a connection", async () => {
  const { service, connect, becomes } = await startWithDocument();
  const { databaseUrl = "" } = service.config;
  const killed = new ServiceProcess({ DATABASE_URL: databaseUrl, SECRET_KEY: "5".repeat(64) });
  const address = await killed.address();
  const grace = await connect("grace", service.address);
  await connect("linus", service.address);
  await connect("linus", address);
  await connect("ada", address);
  await becomes({ ada: "online", linus: "online", grace: "online" });
  await killed.terminate("SIGKILL");
  await becomes({ ada: "offline", linus: "online", grace: "online" });
  const isOffline = ({ data = "{}" }) => {
    const { subject, record } = JSON.parse(data);
    return subject?.userId === "ada" && record?.status === "offline";
  };
  await eventually(() => expect(grace.received.some(isOffline)).toBe(true));
});

test("a process that others took for dead brings its users back", async () => {
  const { service, connect, becomes } = await startWithDocument();
  await connect("ada", service.address);
  await becomes({ ada: "online" });
  const read = () =>
    runSql<{ id: string }>(service.database, "select process_id::text as id from presence_connections");
  const before = await read();
  await runSql(service.database, "update presence_processes set is_dead = true");
  await eventually(async () => {
    const now = await read();
    expect(now).toHaveLength(1);
    expect(now).not.toEqual(before);
  });
  await becomes({ ada: "online" });
});
