import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { inject } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import { newPage } from "../console/browser.ts";
import { freePort } from "../free-port.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { copyProject, getStartCommand, Reader, readTutorial } from "./tutorial.ts";

/** Timeout of tests that start a service and install packages, which has taken over a minute beside other work. */
export const TUTORIAL_TIMEOUT_MS = 360_000;

// Pages of versions read them again when a change is reported.
const service = await startOwnTestService(({ limits }) => ({ limits: { ...limits, crdtReportMs: 0 } }));
const project = copyProject(await mkdtemp(join(inject("runDirectory"), "tutorials-")));

export interface Followed {
  reader: Reader;
  /** Address of the page. */
  address: string;
  /** Credentials of the workspace. */
  credentials: { apiKey: string; authToken: string };
  /** Collaborative document of the page. Each tutorial has its own, so that readers can follow several. */
  editor: { organizationId: string; documentId: string; editorId: string };
}

export interface FollowedInWorkspace extends Followed {
  workspace: TestWorkspace;
}

/** Follows a tutorial from its first command on, which starts a new service. Its first workspace is the reader's. */
export async function followFromStart(name: string): Promise<Followed> {
  const DATA_DIR = await temporaryDataDir({ isPostgresPrepared: true });
  const environment = { DATA_DIR, PORT: String(await freePort()) };
  const start = getStartCommand(readTutorial(name)).replace(/npm start$/, "exec npm start");
  await new ServiceProcess(environment, ["bash", "-c", `cd '${project}'; ${start}`]).address();
  const credentials = JSON.parse(await readFile(join(DATA_DIR, "credentials.json"), "utf8"));
  return { ...(await follow(name, environment)), credentials };
}

/** Follows a tutorial as the owner of a new workspace, with further variables. The service runs already. */
export async function followInWorkspace(
  name: string,
  variables: Record<string, string> = {},
): Promise<FollowedInWorkspace> {
  const workspace = await service.workspace();
  const { apiKey, authToken } = workspace;
  const own = { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken, PUBLIC_URL: service.address };
  return { ...(await follow(name, { ...own, ...variables })), credentials: { apiKey, authToken }, workspace };
}

async function follow(name: string, environment: Record<string, string>): Promise<Omit<Followed, "credentials">> {
  const port = String(await freePort());
  const reader = new Reader(project, environment, { 3000: port });
  const tutorial = readTutorial(name);
  await reader.follow(tutorial);
  const [, documentId = ""] = /documentId: "([\w-]+)", editorId: "body"/.exec(tutorial) ?? [];
  const editor = { organizationId: "acme", documentId, editorId: "body" };
  return { reader, address: `http://localhost:${port}`, editor };
}

/** Opens a page and collects what goes wrong on it. */
export async function openAndWatch(
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> {
  const page = await newPage(options);
  registerCleanup(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems };
}
