import { readFileSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import type { TestService } from "../harness.ts";
import { signIn } from "../sessions.ts";

/** Script of axe, which is injected through the DevTools protocol, past the page's content security policy. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const executablePath = inject("chromiumPath");
/** Timeout of a step that suffices on a busy machine. */
const TIMEOUT_MS = 25_000;
/** Polling options for changes that happen in the background. */
export const EVENTUALLY = { timeout: TIMEOUT_MS, interval: 100 };
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Describes tests that need a browser. They are skipped if there is none, which the global setup reports. */
export function describeInBrowser(name: string, tests: () => void): void {
  // A test opens several pages, each of which takes seconds on a busy machine.
  describe.skipIf(executablePath === "")(name, { timeout: 4 * TIMEOUT_MS }, tests);
}

/**
 * Chromium features to disable. The first two are suggestions of the address bar, which each new window loads and which
 * took two thirds of the cost of a visitor; the third is a spare process. The rest repeats Playwright's own list, which
 * this one replaces.
 */
const DISABLED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "PaintHolding"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "ThirdPartyStoragePartitioning", "AimEnabled"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
];

/** The browser that all test files of a worker share. It ends with the worker. */
let browser: Promise<Browser> | undefined;

interface VisitorOptions extends BrowserContextOptions {
  /** Session cookie as `name=value`. */
  cookie?: string;
}

/** A user with an isolated browser context. */
export class Visitor {
  readonly address: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Messages of the browser's console, uncaught errors, and requests to other hosts since the last `open`. */
  problems: string[] = [];
  /** Paths of POST requests since the last `open`. */
  calls: string[] = [];

  constructor(address: string, page: Page) {
    this.address = address;
    this.context = page.context();
    this.page = page;
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.problems.push(message.text());
    });
    page.on("pageerror", (error) => this.problems.push(String(error)));
    page.on("request", (request) => {
      const url = request.url();
      if (/^(https?|wss?):/.test(url) && new URL(url).host !== new URL(address).host) this.problems.push(url);
      if (request.method() === "POST") this.calls.push(new URL(url).pathname);
    });
  }

  /** Opens a path of the console, relative to `/console`, and clears `problems` and `calls`. */
  async open(path: string): Promise<void> {
    this.problems = [];
    this.calls = [];
    await this.page.goto(`${this.address}/console${path}`);
  }

  /** Resolves when the page has finished loading. */
  async loaded(): Promise<void> {
    const loaded = this.page.locator("main:has(h1):not(:has([aria-busy=true], [aria-label=Loading]))");
    // This polls more often than Playwright, which checks only twice a second.
    await expect.poll(() => loaded.count(), EVENTUALLY).toBe(1);
  }

  button(name: string | RegExp) {
    return this.page.getByRole("button", { name });
  }

  /** Returns the visible text of the main part. */
  text(): Promise<string> {
    return this.page.locator("main").innerText();
  }

  /** Resolves when the main part shows the text. */
  async sees(text: string | RegExp): Promise<void> {
    const shown = () => this.text().catch(() => "");
    const matcher = expect.poll(shown, EVENTUALLY);
    await (typeof text === "string" ? matcher.toContain(text) : matcher.toMatch(text));
  }

  /** Returns the accessibility violations of the page in light and dark, one per line. */
  async accessibilityViolations(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const found: string[] = [];
    for (const colorScheme of ["dark", "light"] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      // Contrast is the only rule that depends on the color scheme.
      found.push(...(await this.#violations(colorScheme === "light" ? RULES : ["color-contrast"])));
    }
    return found;
  }

  async #violations(runOnly: string[]): Promise<string[]> {
    const options = { runOnly, resultTypes: ["violations"], iframes: false };
    const found = await this.page.evaluate<Violation[]>(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
    );
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    );
  }

  /** Returns the accessible name of the focused element. */
  async focused(): Promise<string> {
    const name = "document.activeElement.ariaLabel ?? document.activeElement.textContent";
    return (await this.page.evaluate<string>(name)).trim();
  }

  /** Presses Tab until an element with this accessible name has the focus. */
  async tabTo(name: string): Promise<void> {
    for (let count = 0; count < 100; count++) {
      if ((await this.focused()) === name) return;
      await this.page.keyboard.press("Tab");
    }
    throw new Error(`${name} cannot be reached by keyboard`);
  }

  /** Returns by how many pixels the page is wider than the window. */
  overflow(): Promise<number> {
    return this.page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Creates a visitor with a new browser context. */
export async function visitor(
  { address }: Pick<TestService, "address">,
  { cookie, ...options }: VisitorOptions = {},
): Promise<Visitor> {
  browser ??= chromium.launch({ executablePath, args: [`--disable-features=${DISABLED_FEATURES}`] });
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 800 },
    // Elements are in their final state when tests look at them.
    reducedMotion: "reduce",
    ...options,
  });
  registerCleanup(() => context.close());
  if (cookie) {
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: address, httpOnly: true, sameSite: "Strict" }]);
  }
  return new Visitor(address, await context.newPage());
}

/** Creates a visitor who is signed in as the owner, or as the operator if null. */
export async function signedIn(
  service: TestService,
  owner: string | null,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { cookie } = await signIn(service, owner);
  return visitor(service, { cookie, ...options });
}
