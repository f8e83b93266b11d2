import { expect, test } from "vitest";
import { createWorkspace } from "../../src/features/workspaces/workspaces.ts";
import { runCommand, runJsonCommand } from "../command-line.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { allowMails, openMailQueue, readOutbox } from "../mails.ts";
import { startInProcess, temporaryDataDir } from "../service-process.ts";

const [A, B, C] = ["a".repeat(64), "b".repeat(64), "c".repeat(64)] as const;
const CONFIG = "/v2/workspace/emailconfig/get";
const WEBHOOKS = "/v2/workspace/webhookconfig/get";
const ACTIVITIES = "/v2/activities/get";
const UNREADABLE = { details: { reason: "secret_unreadable" } };

/** Sets up a service under key A, on which everything that SECRET_KEY protects was stored and issued. */
async function serviceUnderKeyA() {
  const [{ database, connectionString }, DATA_DIR] = await Promise.all([createTestDatabase(), temporaryDataDir()]);
  const environment = (keys: Record<string, string>) => ({
    ...{ DATABASE_URL: connectionString, DATA_DIR, PUBLIC_URL: "https://colloquy.example", LOG_LEVEL: "warn" },
    ...keys,
  });
  const created = await createWorkspace(database, { name: "keys", activityServiceEnabled: true });
  const { address, stop } = await startInProcess(environment({ SECRET_KEY: A }));
  const workspace = new TestWorkspace(address, created);
  await addActivities(workspace, [{ id: "one" }, { id: "two" }]);
  const { pageToken = "" } = await workspace.result(ACTIVITIES, { ...SCOPE, pageSize: 1 });
  await workspace.data("/v2/users/add", {
    organizationId: SCOPE.organizationId,
    users: [{ userId: "grace", accessRole: "editor" }],
  });
  await allowMails(workspace, ["comment.add"]);
  await (await openMailQueue(database))(workspace);
  await expect.poll(() => readOutbox(DATA_DIR)).toHaveLength(1);
  const [mail] = await readOutbox(DATA_DIR);
  const [, unsubscribePath = ""] = /https:\/\/colloquy\.example(\S+)/.exec(mail?.text ?? "") ?? [];
  await workspace.data("/v2/workspace/emailconfig/update", {
    emailServiceConfig: { type: "resend", apiKey: "re_secret", fromEmail: "notices@example.com" },
  });
  await workspace.data("/v2/workspace/webhookconfig/update", { webhookServiceConfig: { authToken: "wh_secret" } });
  await stop();
  return {
    workspace,
    environment,
    json: (command: string, keys: Record<string, string>) => runJsonCommand([command], environment(keys)),
    /** Starts a service with other keys. Returns what it makes of the provider key, the page token and the link. */
    async read(keys: Record<string, string>) {
      const next = await startInProcess(environment(keys));
      const there = workspace.at(next.address);
      const read = {
        config: (await there.call(CONFIG, {})).body,
        webhooks: (await there.call(WEBHOOKS, {})).body,
        rotations: (await there.data("/v2/workspace/audit/get", { actions: ["secret.rotate"] })).length,
        page: (await there.call(ACTIVITIES, { ...SCOPE, pageSize: 1, pageToken })).httpStatus,
        unsubscribe: (await fetch(`${next.address}${unsubscribePath}`)).status,
      };
      await next.stop();
      return read;
    },
  };
}

const READABLE = {
  config: { result: { data: { emailServiceConfig: { apiKey: "re_secret" } } } },
  webhooks: { result: { data: { webhookServiceConfig: { authToken: "wh_secret" } } } },
};
const LOST = { config: { error: UNREADABLE }, webhooks: { error: UNREADABLE } };

test("secrets, page tokens and links of an earlier key work, and secrets survive its end once rotated", async () => {
  const { read, json, environment } = await serviceUnderKeyA();
  const both = { SECRET_KEY: B, SECRET_KEY_OLD: `${C}, ${A}` };
  expect(await read(both)).toMatchObject({ ...READABLE, page: 200, unsubscribe: 200 });
  expect(await read({ SECRET_KEY: B })).toMatchObject({ ...LOST, page: 400, unsubscribe: 400 });

  const checkSecrets = async (keys: Record<string, string>) => {
    const { stdout } = await runCommand(["doctor", "--json"], environment(keys));
    const { checks }: { checks: { name: string }[] } = JSON.parse(stdout);
    return checks.find(({ name }) => name === "secrets");
  };
  expect(await checkSecrets(both)).toMatchObject({
    status: "warning",
    remedy: expect.stringMatching("rotate-secrets"),
  });
  expect(await checkSecrets({ SECRET_KEY: B })).toMatchObject({ status: "error" });

  expect(await json("rotate-secrets", both)).toEqual({ rotated: 2, current: 2, unreadable: 0 });
  expect(await json("rotate-secrets", both)).toEqual({ rotated: 0, current: 2, unreadable: 0 });
  expect(await checkSecrets(both)).toMatchObject({ status: "ok" });
  // What was issued under key A ends with it.
  expect(await read({ SECRET_KEY: B })).toMatchObject({ ...READABLE, page: 400, unsubscribe: 400, rotations: 2 });
  expect(await read({ SECRET_KEY: A })).toMatchObject({ ...LOST, page: 200 });
});

test("a service that knows an earlier key stores new secrets under the current one", async () => {
  const { environment, read, json, workspace } = await serviceUnderKeyA();
  const both = { SECRET_KEY: B, SECRET_KEY_OLD: A };
  const { address, stop } = await startInProcess(environment(both));
  const there = workspace.at(address);
  await there.data("/v2/workspace/emailconfig/update", {
    emailServiceConfig: { type: "resend", apiKey: "re_secret" },
  });
  await there.data("/v2/workspace/webhookconfig/update", { webhookServiceConfig: { authToken: "wh_secret" } });
  await stop();
  expect(await json("rotate-secrets", both)).toEqual({ rotated: 0, current: 2, unreadable: 0 });
  expect(await read({ SECRET_KEY: B })).toMatchObject({ ...READABLE });
});

test("rotation without the key of a secret fails, names the variable, and changes nothing", async () => {
  const { read, environment } = await serviceUnderKeyA();
  const { stdout, stderr, exitCode } = await runCommand(["rotate-secrets"], environment({ SECRET_KEY: B }));
  expect(stdout).toContain("Secrets re-encrypted: 0.");
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining("SECRET_KEY_OLD"), exitCode: 1 });
  expect(await read({ SECRET_KEY: A })).toMatchObject({ ...READABLE });
});

test("a start and doctor name another SECRET_KEY until rotate-secrets accepts it, also without secrets", async () => {
  const [{ connectionString }, DATA_DIR] = await Promise.all([createTestDatabase(), temporaryDataDir()]);
  const environment = (keys: Record<string, string>) => ({ DATABASE_URL: connectionString, DATA_DIR, ...keys });
  const finding = "The database was used with another SECRET_KEY";
  async function start(keys: Record<string, string>): Promise<string> {
    const service = await startInProcess(environment(keys));
    await service.stop();
    return service.readLog();
  }
  const doctor = async (keys: Record<string, string>) => (await runCommand(["doctor"], environment(keys))).stdout;
  expect(await start({ SECRET_KEY: A })).not.toContain(finding);
  expect(await start({ SECRET_KEY: A })).not.toContain(finding);
  expect(await start({ SECRET_KEY: B })).toContain(finding);
  expect(await doctor({ SECRET_KEY: B })).toMatch(new RegExp(`ERROR +secrets +${finding}`));
  expect(await start({ SECRET_KEY: B, SECRET_KEY_OLD: A })).not.toContain(finding);
  expect(await doctor({ SECRET_KEY: B, SECRET_KEY_OLD: A })).toMatch(/WARNING +secrets .*SECRET_KEY_OLD/);
  await runCommand(["rotate-secrets"], environment({ SECRET_KEY: B }));
  expect(await start({ SECRET_KEY: B })).not.toContain(finding);
  expect(await doctor({ SECRET_KEY: B })).not.toContain(finding);
});
