import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { inject } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import { newPage } from "../console/browser.ts";
import { startOwnTestService } from "../harness.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { copyProject, getStartCommand, Reader, readTutorial } from "./tutorial.ts";

/** Timeout of tests that start a service and install packages, which has taken over a minute beside other work. */
export const TUTORIAL_TIMEOUT_MS = 360_000;

// Pages of versions read them again when a change is reported.
const service = await startOwnTestService(({ limits }) => ({ limits: { ...limits, crdtReportMs: 0 } }));
const project = copyProject(await mkdtemp(join(inject("runDirectory"), "tutorials-")));

/** Returns a port that nothing uses. */
async function findFreePort(host = "localhost"): Promise<string> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

export interface Followed {
  reader: Reader;
  /** Address of the page. */
  address: string;
  /** Credentials of the workspace. */
  credentials: { apiKey: string; authToken: string };
  /** Collaborative document of the page. Each tutorial has its own, so that readers can follow several. */
  editor: { organizationId: string; documentId: string; editorId: string };
}

/** Follows a tutorial from its first command on, which starts a new service. Its first workspace is the reader's. */
export async function followFromStart(name: string): Promise<Followed> {
  const DATA_DIR = await temporaryDataDir({ isPostgresPrepared: true });
  const environment = { DATA_DIR, PORT: await findFreePort("127.0.0.1") };
  const start = getStartCommand(readTutorial(name)).replace(/npm start$/, "exec npm start");
  await new ServiceProcess(environment, ["bash", "-c", `cd '${project}'; ${start}`]).address();
  const credentials = JSON.parse(await readFile(join(DATA_DIR, "credentials.json"), "utf8"));
  return { ...(await follow(name, environment)), credentials };
}

/** Follows a tutorial as the owner of a new workspace. The service runs already. */
export async function followInWorkspace(name: string): Promise<Followed> {
  const { apiKey, authToken } = await service.workspace();
  const variables = { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken, PUBLIC_URL: service.address };
  return { ...(await follow(name, variables)), credentials: { apiKey, authToken } };
}

async function follow(name: string, environment: Record<string, string>): Promise<Omit<Followed, "credentials">> {
  const port = await findFreePort();
  const reader = new Reader(project, environment, { 3000: port });
  const tutorial = readTutorial(name);
  await reader.follow(tutorial);
  const [, documentId = ""] = /documentId: "([\w-]+)", editorId: "body"/.exec(tutorial) ?? [];
  const editor = { organizationId: "acme", documentId, editorId: "body" };
  return { reader, address: `http://localhost:${port}`, editor };
}

/** Opens a page and collects what goes wrong on it. */
export async function openAndWatch(url: string): Promise<{ page: Page; problems: string[] }> {
  const page = await newPage();
  registerCleanup(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems };
}
