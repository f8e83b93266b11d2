import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, makePublic, TestWorkspace } from "../../../test/harness.ts";
import { startMailServer } from "../../../test/mail-server.ts";
import { allowReplyMails, countMails, openMailQueue, recipient } from "../../../test/mails.ts";
import { ServiceProcess, startInProcess, temporaryDataDir } from "../../../test/service-process.ts";
import { sql } from "../../database/sql.ts";
import { createWorkspace } from "../workspaces/workspaces.ts";

/** Time after which a process ends although its service has not stopped. */
const STOP_LIMIT_MS = 10_000;

const { database, connectionString } = await createTestDatabase();
const queueMail = await openMailQueue(database);

test("a mail whose sender is killed while the server holds it is never sent again; the next one is sent", async () => {
  const contents: string[] = [];
  const received = Promise.withResolvers<void>();
  const server = await startMailServer({
    async respond(content) {
      if (contents.push(content) > 1) return;
      received.resolve();
      await new Promise(() => {});
    },
    options: { allowInsecureAuth: true, onAuth: (_login, _session, done) => done(null, { user: "colloquy" }) },
  });
  onTestFinished(() => server.close());
  const dataDir = await temporaryDataDir();
  const environment = {
    ...{ DATABASE_URL: connectionString, DATA_DIR: dataDir, SECRET_KEY: "5".repeat(64) },
    ALLOW_PRIVATE_ADDRESSES: "true",
  };
  const killed = new ServiceProcess(environment);
  const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
  const workspace = await makePublic(new TestWorkspace(await killed.address(), created));
  await allowReplyMails(workspace, server.url.replace("//", "//colloquy:hunter2-secret@"));
  await queueMail(workspace, { commentText: "the text of a comment" });
  await received.promise;
  await killed.kill();

  const next = await startInProcess(environment);
  await queueMail(workspace, { recipients: [recipient("alan")] });
  await expect.poll(() => server.mails.map(({ to }) => to)).toEqual([["alan@example.com"]]);
  await expect.poll(() => countMails(database, workspace)).toBe(1);
  await database.run(sql`update mails set taken_at = taken_at - 3600000 where taken_at is not null`);
  await expect.poll(next.readLog).toMatch(/"outcome":"uncertain".*"a mail was given up"/);
  await expect.poll(() => countMails(database, workspace)).toBe(0);
  expect(contents.filter((content) => content.includes("To: grace <grace@example.com>"))).toHaveLength(1);
  expect(killed.stdout + next.readLog()).not.toMatch(/@example\.com|hunter2|text of a comment/);
});

test("a service that is stopped while a mail server keeps it waiting releases the mail for the next one", async () => {
  const dataDir = await temporaryDataDir();
  const silent = createServer((socket) => void socket.on("error", () => {})).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const environment = {
    ...{ DATABASE_URL: connectionString, DATA_DIR: dataDir, SECRET_KEY: "5".repeat(64) },
    ALLOW_PRIVATE_ADDRESSES: "true",
  };
  const stopped = await startInProcess(environment);
  const created = await createWorkspace(database, { name: "stopped", activityServiceEnabled: true });
  const workspace = await makePublic(new TestWorkspace(stopped.address, created));
  await allowReplyMails(workspace, `smtp://127.0.0.1:${port}`);
  const received = once(silent, "connection");
  await queueMail(workspace);
  await received;
  silent.close();
  const begun = performance.now();
  await stopped.stop();
  expect(performance.now() - begun).toBeLessThan(STOP_LIMIT_MS);

  const server = await startMailServer({ port });
  onTestFinished(() => server.close());
  await startInProcess(environment);
  await expect.poll(() => server.mails.map(({ to }) => to)).toEqual([["grace@example.com"]]);
});
