import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder } from "../command-line.ts";
import { getExamples } from "../documentation/examples.ts";
import { getBlocks } from "../documentation/markdown.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { freePort } from "../free-port.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { newPage } from "./browser.ts";
import { describeInBrowser } from "./visitor.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/user-tokens.md"), "utf8");
const CREDENTIALS = { username: "ada", password: "secret" };
const service = await startTestService();

/** Returns the only code block of the language. */
function getBlock(language: string): string {
  const found = getBlocks(PAGE).filter(({ info }) => info === language);
  expect(found).toHaveLength(1);
  return found[0]?.code ?? "";
}

/** Runs the documented backend in a process of its own. Returns its address once it responds. */
async function startBackend({ apiKey, authToken }: TestWorkspace): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(join(folder, "backend.mjs"), getBlock("js"));
  await writeFile(join(folder, "page.html"), getBlock("html"));
  const port = await freePort();
  const args = ["backend.mjs", service.address, apiKey, authToken, String(port)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" });
  onTestFinished(() => void child.kill());
  const address = `http://localhost:${port}`;
  await eventually(async () => expect((await fetch(address)).status).toBe(401));
  return address;
}

/** Sends the documented request to this path. */
async function send(workspace: TestWorkspace, path: string): Promise<void> {
  const example = getExamples(PAGE).find((one) => one.path === path);
  expect(await workspace.call(path, example?.body)).toMatchObject({ httpStatus: 200 });
}

async function openPage(address: string) {
  const page = await newPage({ httpCredentials: CREDENTIALS });
  onTestFinished(() => page.context().close());
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => errors.push(message.text()));
  await page.goto(address);
  return { page, errors };
}

describeInBrowser("the backend and the page of docs/user-tokens.md", () => {
  test("read the feed and add a comment in the name of the user who has signed in", async () => {
    const workspace = await service.workspace();
    await send(workspace, "/v2/organizations/add");
    await send(workspace, "/v2/workspace/domains/add");
    const { page, errors } = await openPage(await startBackend(workspace));
    await page.locator("input").fill("Thirty days <b>?");
    await page.getByRole("button", { name: "Comment" }).click();
    await page.getByText("Ada: Thirty days <b>?").waitFor();
    expect(errors).toEqual([]);
    const comment = { commentText: "Thirty days <b>?", from: { userId: "ada", email: "ada@example.com" } };
    expect(await workspace.data("/v2/commentannotations/get", SCOPE)).toMatchObject([{ comments: [comment] }]);
    await page.reload();
    await page.getByText("Ada: Thirty days <b>?").waitFor();
  });

  test("reach nothing from a domain that is not allowed", async () => {
    const workspace = await service.workspace();
    await send(workspace, "/v2/organizations/add");
    const { errors } = await openPage(await startBackend(workspace));
    await expect.poll(() => errors.join("\n")).toContain("CORS");
    expect(await workspace.data("/v2/commentannotations/get", SCOPE)).toEqual([]);
  });

  test("give no token to who has not signed in", async () => {
    const address = await startBackend(await service.workspace());
    const headers = { authorization: `Basic ${Buffer.from("ada:wrong").toString("base64")}` };
    for (const path of ["/", "/token"]) expect((await fetch(address + path, { headers })).status).toBe(401);
  });
});
