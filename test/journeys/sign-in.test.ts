import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, post } from "../harness.ts";
import { startMailServer } from "../mail-server.ts";
import { runSql } from "../run-sql.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { getCookie, getToken, postToken, send, TestSession } from "../sessions.ts";

const EMAIL = "ada-7f3k@acme.example";
const CREDENTIALS = { BOOTSTRAP_API_KEY: "bootstrap-key", BOOTSTRAP_AUTH_TOKEN: "bootstrap-token-0123456789" };

test("an owner signs in with the mailed link, and no token, cookie or address is in the log", async () => {
  const { database, connectionString } = await createTestDatabase();
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.close());
  const service = new ServiceProcess({
    ...{ DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64), DATA_DIR: await temporaryDataDir() },
    ...{ ...CREDENTIALS, BOOTSTRAP_OWNER_EMAIL: EMAIL, SMTP_URL: mailServer.url, LOG_LEVEL: "trace" },
  });
  const address = await service.address();
  const ask = () => post(`${address}/v2/workspace/email/send-login-link`, { email: EMAIL });
  await ask();
  await expect.poll(() => mailServer.mails.length).toBe(1);
  const [link = ""] = /http\S+\/console\/sign-in#[\w-]{43}/.exec(mailServer.mails[0]?.parsed.text ?? "") ?? [];
  const token = getToken(link);

  const signedIn = await postToken(address, token);
  const cookie = getCookie(signedIn);
  const session = new TestSession(address, cookie);
  expect(await session.workspaceIds()).toHaveLength(1);
  // Errors log more than successes do, so this provokes several kinds of them.
  await session.call("/v2/activities/get", {});
  await session.call("/v2/workspaces/get", {}, { origin: "https://evil.example" });
  await postToken(address, token, { cookie });
  await send(`${address}/console/session?token=${token}`, { token: [token] }, session.headers);
  await runSql(
    database,
    "alter table sessions rename to sessions_away; alter table login_links rename to login_links_away",
  );
  for (const path of ["/console/session", "/console/session/end"]) {
    expect(await send(`${address}${path}`, { token }, session.headers)).toMatchObject({ httpStatus: 500 });
  }
  await runSql(
    database,
    "alter table sessions_away rename to sessions; alter table login_links_away rename to login_links",
  );
  for (let count = 0; count < 6; count++) await ask();
  await session.call("/console/session/end", {});
  expect(await session.call("/v2/workspaces/get", {})).toMatchObject({ httpStatus: 403 });

  expect(await service.terminate()).toBe(0);
  const log = service.stdout + service.stderr;
  expect(log).toContain("/console/session");
  for (const secret of [token, cookie.replace(/^.*=/, ""), EMAIL]) expect(log).not.toContain(secret);
});
