import { readFileSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { atEnd } from "../at-end.ts";
import type { TestService } from "../harness.ts";
import { signIn } from "../sessions.ts";

/** Put into a page by the protocol of the browser's tools, which the page's policy does not concern. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const executablePath = inject("chromiumPath");
/** As long as a busy machine may take to show something. */
const TIMEOUT_MS = 15_000;
/** For what the service does by itself, in the background. */
export const EVENTUALLY = { timeout: TIMEOUT_MS, interval: 100 };
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Tests that need a browser: skipped where there is none, which the run says. */
export const describeInBrowser = describe.skipIf(executablePath === "");

/**
 * The first two are suggestions of the address bar, which every new window would load and which took two thirds of what
 * a visitor costs; the third is a process in reserve. Of two such lists Chromium heeds the last, so the others are
 * what Playwright's own has.
 */
const DISABLED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "PaintHolding"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "ThirdPartyStoragePartitioning", "AimEnabled"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
];

/** One for all files that a worker runs; it ends with the worker. */
let browser: Promise<Browser> | undefined;

interface VisitorOptions extends BrowserContextOptions {
  /** Signed in with this `name=value`. */
  cookie?: string;
}

/** A person with a browser of their own: nothing is shared with others. */
export class Visitor {
  readonly address: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** What should not happen: messages of the browser's console, uncaught errors, requests to another host. */
  problems: string[] = [];
  /** The paths that were posted to. */
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

  /** Opens an address of the console, written from `/console` on, and forgets what was noted before. */
  async open(path: string): Promise<void> {
    this.problems = [];
    this.calls = [];
    await this.page.goto(`${this.address}/console${path}`);
  }

  /** Resolves once nothing is loading any more. */
  async loaded(): Promise<void> {
    const loaded = this.page.locator("main:has(h1):not(:has([aria-busy=true], [aria-label=Loading]))");
    // Playwright's own waiting looks twice a second only.
    await expect.poll(() => loaded.count(), EVENTUALLY).toBe(1);
  }

  button(name: string | RegExp) {
    return this.page.getByRole("button", { name });
  }

  /** The text of the main part, as it is seen. */
  text(): Promise<string> {
    return this.page.locator("main").innerText();
  }

  /** Resolves once the main part shows the text. */
  async sees(text: string | RegExp): Promise<void> {
    const shown = () => this.text().catch(() => "");
    const matcher = expect.poll(shown, EVENTUALLY);
    await (typeof text === "string" ? matcher.toContain(text) : matcher.toMatch(text));
  }

  /** Barriers on the page as it is now, in light and dark, a line each. */
  async accessibilityViolations(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const found: string[] = [];
    for (const colorScheme of ["dark", "light"] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      // Of all rules contrast alone has to do with colours.
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

  /** What has the focus, as it is read out. */
  async focused(): Promise<string> {
    const name = "document.activeElement.ariaLabel ?? document.activeElement.textContent";
    return (await this.page.evaluate<string>(name)).trim();
  }

  /** Moves the focus on by the keyboard until it is there. */
  async tabTo(name: string): Promise<void> {
    for (let count = 0; count < 100; count++) {
      if ((await this.focused()) === name) return;
      await this.page.keyboard.press("Tab");
    }
    throw new Error(`no way by the keyboard to ${name}`);
  }

  /** By how many pixels the page is wider than the window. */
  overflow(): Promise<number> {
    return this.page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Somebody who comes to the service with a fresh browser. */
export async function visitor(
  { address }: Pick<TestService, "address">,
  { cookie, ...options }: VisitorOptions = {},
): Promise<Visitor> {
  browser ??= chromium.launch({ executablePath, args: [`--disable-features=${DISABLED_FEATURES}`] });
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 800 },
    // Nothing is on its way when it is looked at.
    reducedMotion: "reduce",
    ...options,
  });
  atEnd(() => context.close());
  if (cookie) {
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: address, httpOnly: true, sameSite: "Strict" }]);
  }
  return new Visitor(address, await context.newPage());
}

/** The owner, or with null the operator, in a browser that has signed in. */
export async function signedIn(
  service: TestService,
  owner: string | null,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { cookie } = await signIn(service, owner);
  return visitor(service, { cookie, ...options });
}
