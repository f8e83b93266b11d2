import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { inject } from "vitest";

/** Path of Chromium; empty if there is none. */
export const executablePath = inject("chromiumPath");

/**
 * Chromium features to disable. The first two are suggestions of the address bar, which each new window loads and which
 * took two thirds of the cost of a new page; the third is a spare process. The rest repeats Playwright's own list,
 * which this one replaces.
 */
const DISABLED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "PaintHolding"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "ThirdPartyStoragePartitioning", "AimEnabled"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
];

export const DESKTOP = { width: 1280, height: 800 };

/** The browser that all test files of a worker share. It ends with the worker. */
let browser: Promise<Browser> | undefined;

/** Pages that no visitor uses. */
const idlePages: Page[] = [];

/**
 * Returns a page without cookies, storage and history. Pages are reused, because a new one has a new process, in which
 * opening the console takes twice the processor time: 1.0 s instead of 0.5 s.
 */
export async function takePage(): Promise<Page> {
  return idlePages.pop() ?? newPage();
}

/** Opens a page in a new browser context. */
export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath, args: [`--disable-features=${DISABLED_FEATURES}`] });
  // Reduced motion puts elements into their final state at once.
  const context = await (await browser).newContext({ viewport: DESKTOP, reducedMotion: "reduce", ...options });
  return context.newPage();
}

/** Makes a page of `takePage` available again. Clears what its visitor left behind at the address. */
export async function returnPage(page: Page, address: string): Promise<void> {
  const context = page.context();
  for (const event of ["console", "pageerror", "request", "response"] as const) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // A page of the same origin keeps the process, and makes the storage accessible.
  await page.goto(`${address}/healthz`);
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await context.clearCookies();
  await context.clearPermissions();
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(DESKTOP);
  const devTools = await context.newCDPSession(page);
  await devTools.send("Page.resetNavigationHistory");
  await devTools.detach();
  idlePages.push(page);
}
