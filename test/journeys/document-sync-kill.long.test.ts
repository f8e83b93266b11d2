import { expect, test } from "vitest";
import { DocumentProvider } from "../../packages/react/src/document-provider.ts";
import { addContent, readContent } from "../crdt.ts";
import { TestWorkspace } from "../harness.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { disconnect, getText, openSyncedPage, type SyncedPage, type } from "../sync.ts";
import { tokenFor } from "../user-tokens.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const PAGES = 10;
/** What a user types while offline. */
const OFFLINE_TEXT = "0123456789".repeat(30);
/** Number of changes that are reported as saved before the kill. */
const KILL_AFTER = 200;

function workspaceAt(address: string): TestWorkspace {
  return new TestWorkspace(address, { workspaceId: "", ...CREDENTIALS });
}

/** Resolves once the service has reported everything as saved, or `ended` resolves. */
async function isSaved({ provider }: SyncedPage, ended: Promise<unknown>): Promise<boolean> {
  const saved = new Promise<boolean>((resolve) => {
    provider.on("unsyncedChanges", ({ number }: { number: number }) => number === 0 && resolve(true));
  });
  return Promise.race([saved, ended.then(() => false)]);
}

/** Returns a function that starts a service process with the same data each time. */
async function serviceOnDisk(): Promise<() => ServiceProcess> {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  return () =>
    new ServiceProcess({
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: CREDENTIALS.apiKey,
      BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken,
    });
}

test("kill -9 while ten users type loses nothing that was reported as saved", async () => {
  const start = await serviceOnDisk();
  const service = start();
  const address = await service.address();
  const workspace = workspaceAt(address);
  await addContent(workspace, { type: "map", data: {} });
  const token = await tokenFor(workspace, "ada");
  const pages = await Promise.all(Array.from({ length: PAGES }, () => openSyncedPage(address, { token })));
  const saved = new Set<string>();
  let killed: Promise<unknown> | undefined;
  async function typeUntilKilled(page: SyncedPage, number: number): Promise<void> {
    for (let count = 0; killed === undefined; count++) {
      const key = `${number}.${count}`;
      const reported = isSaved(page, service.ended);
      page.document.getMap("content").set(key, count);
      if (await reported) saved.add(key);
      if (saved.size >= KILL_AFTER) killed ??= service.terminate("SIGKILL");
    }
  }
  await Promise.all(pages.map(typeUntilKilled));
  await killed;
  for (const { provider } of pages) provider.destroy();
  const { data } = await readContent(workspaceAt(await start().address()));
  expect(saved.size).toBeGreaterThanOrEqual(KILL_AFTER);
  expect(Object.keys(Object(data))).toEqual(expect.arrayContaining([...saved]));
});

test("kill -9 when a page that was offline reports its changes as saved loses none of them", async () => {
  const start = await serviceOnDisk();
  const service = start();
  const address = await service.address();
  const workspace = workspaceAt(address);
  await addContent(workspace, { type: "text", data: "" });
  const token = await tokenFor(workspace, "ada");
  const page = await openSyncedPage(address, { token, Provider: DocumentProvider });
  await disconnect(page);
  for (const character of OFFLINE_TEXT) type(page, character);
  const saved = isSaved(page, service.ended);
  await page.provider.configuration.websocketProvider.connect();
  expect(await saved).toBe(true);
  await service.terminate("SIGKILL");
  page.provider.destroy();
  const fresh = await openSyncedPage(await start().address(), { token });
  expect(getText(fresh)).toBe(OFFLINE_TEXT);
});
