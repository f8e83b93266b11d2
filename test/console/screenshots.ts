/**
 * `npm run screenshots` takes the pictures in docs/images: of the console, with what `npm run example:team-day` writes,
 * of mails, and of the example of a workspace.
 */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BrowserContext, chromium } from "playwright-core";
import { takeAppPictures } from "./app-pictures.ts";
import { buildConsole } from "./build.ts";
import { requireChromium } from "./chromium.ts";
import { takeMailPictures } from "./mail-pictures.ts";
import { startPicturedService } from "./pictured-service.ts";

const ROOT = join(import.meta.dirname, "../..");
const IMAGES = join(ROOT, "docs/images");
const ORGANIZATION = "organization=team+harbor";
/** Paths of the pictured pages by file name. */
const PICTURES = {
  overview: "/overview",
  activities: `/activities?${ORGANIZATION}`,
  thread: `/documents?${ORGANIZATION}&document=src%2Fapi&record=overlap-error`,
  notifications: `/notifications?${ORGANIZATION}&user=nia%40harbor.example`,
  organizations: "/organizations?sort=-lastActivityAt",
  requests: "/requests",
};

const service = await startPicturedService();
const browser = await chromium.launch({ executablePath: requireChromium() });
try {
  buildConsole();
  const { url, apiKey, authToken } = service.credentials;
  const access = ["--url", url, "--api-key", apiKey, "--auth-token", authToken];
  await promisify(execFile)(process.execPath, [join(ROOT, "examples/team-day.ts"), ...access]);
  await mkdir(IMAGES, { recursive: true });
  await takeMailPictures(browser, IMAGES);
  await takeAppPictures(browser, IMAGES, service.credentials);
  await takePictures(await browser.newContext({ viewport: { width: 1280, height: 800 } }), service.signInUrl);
} finally {
  await browser.close();
  await service.stop();
}

async function takePictures(context: BrowserContext, signInUrl: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(signInUrl);
  await page.locator(".chart-bar").first().waitFor();
  const workspace = page.url().replace(/\/overview.*/, "");
  for (const [name, path] of Object.entries(PICTURES)) {
    await page.goto(workspace + path);
    await page.locator("main:has(h1):not(:has([aria-busy=true], [aria-label=Loading]))").waitFor();
    if (path.includes("record=")) await page.getByRole("dialog").getByRole("listitem").first().waitFor();
    await page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled" });
  }
}
