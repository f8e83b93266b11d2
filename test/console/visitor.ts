import { readFileSync } from "node:fs";
import type { Page, ViewportSize } from "playwright-core";
import { describe, expect } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import type { TestService } from "../harness.ts";
import { signIn } from "../sessions.ts";
import { DESKTOP, executablePath, newPage, returnPage, takePage } from "./browser.ts";

/** Script of axe, which is injected through the DevTools protocol, past the page's content security policy. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** Timeout of a step that suffices on a busy machine. */
const TIMEOUT_MS = 25_000;
/** Timeout of a test, which opens several pages. Each of them takes seconds on a busy machine. */
const TEST_TIMEOUT_MS = 4 * TIMEOUT_MS;
/** Polling options for changes that happen in the background. */
export const EVENTUALLY = { timeout: TIMEOUT_MS, interval: 100 };
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Describes tests that need a browser. They are skipped if there is none, which the global setup reports. */
export function describeInBrowser(name: string, tests: () => void, timeout = TEST_TIMEOUT_MS): void {
  describe.skipIf(executablePath === "")(name, { timeout }, tests);
}

interface VisitorOptions {
  /** Session cookie as `name=value`. */
  cookie?: string;
  viewport?: ViewportSize;
  colorScheme?: ColorScheme;
  /** Permissions of the browser to grant. */
  permissions?: string[];
  /** Whether the visitor has a touch screen. */
  isMobile?: boolean;
  /** Language of the browser. */
  locale?: string;
  /** Time zone of the browser. */
  timezoneId?: string;
}

type ColorScheme = "light" | "dark";

/** A user with a page in an isolated browser context. */
export class Visitor {
  readonly address: string;
  readonly page: Page;
  /** Messages of the browser's console, uncaught errors, and requests to other hosts since the last `open`. */
  problems: string[] = [];
  /** Paths of POST requests since the last `open`, without those that wait for events. */
  calls: string[] = [];

  readonly #hasOwnContext: boolean;
  #colorScheme: ColorScheme;
  #hasLeft = false;

  constructor(address: string, page: Page, options: { colorScheme: ColorScheme; hasOwnContext: boolean }) {
    this.address = address;
    this.page = page;
    this.#hasOwnContext = options.hasOwnContext;
    this.#colorScheme = options.colorScheme;
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.problems.push(message.text());
    });
    page.on("pageerror", (error) => this.problems.push(String(error)));
    page.on("request", (request) => {
      const url = request.url();
      if (/^(https?|wss?):/.test(url) && new URL(url).host !== new URL(address).host) this.problems.push(url);
      const { pathname } = new URL(url);
      if (request.method() === "POST" && pathname !== "/v2/events/get") this.calls.push(pathname);
    });
  }

  /** Gives the page up. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    if (this.#hasOwnContext) await this.page.context().close();
    else await returnPage(this.page, this.address);
  }

  /** Opens a path of the console, relative to `/console`, and clears `problems` and `calls`. */
  async open(path: string): Promise<void> {
    this.problems = [];
    this.calls = [];
    await this.page.goto(`${this.address}/console${path}`);
  }

  /**
   * Goes to a path of the console as its links do. The page stays loaded, which took 0.03 s of processor time
   * instead of 0.5 s (measured). Opens the path if the console is not loaded yet.
   */
  async follow(path: string): Promise<void> {
    if (!this.page.url().startsWith(`${this.address}/console/`)) return this.open(path);
    await this.page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/console${path}`)})`);
  }

  /** Opens a workspace that may be new to the loaded console, and clears `problems` and `calls`. */
  async enter(workspaceId: string): Promise<void> {
    await this.follow(`/${workspaceId}/none`);
    // The console looks for new workspaces then.
    await this.#show();
    const link = this.page.locator(`nav a[href^="/console/${workspaceId}/"]`).first();
    await link.waitFor({ state: "attached" });
    this.problems = [];
    this.calls = [];
  }

  /** Goes to a page of the workspace with nothing on the page or in the cache that it could reuse. Clears `calls`. */
  async followAnew(workspaceId: string, path: string): Promise<void> {
    await this.follow(`/${workspaceId}/none`);
    await this.#outdate();
    this.calls = [];
    await this.follow(`/${workspaceId}${path}`);
  }

  /** Shows the window again after it was hidden for as long as makes all responses outdated. */
  async showAgain(): Promise<void> {
    await this.#outdate();
    await this.#show();
  }

  async #show(): Promise<void> {
    await this.page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
  }

  /** Moves the clock of the page, since the console shows responses of the last 10 seconds again. */
  async #outdate(): Promise<void> {
    await this.page.evaluate("{ const { now } = Date; Date.now = () => now() + 10_000; }");
  }

  /** Leaves the workspace for a page without requests, and resets the window and the routes. */
  async rest(): Promise<void> {
    await this.page.unrouteAll({ behavior: "ignoreErrors" });
    await this.follow("/none/people");
    await this.page.setViewportSize(DESKTOP);
    if (this.#colorScheme === "dark") await this.#setColorScheme("light");
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

  /** Clicks a button of the open dialog. */
  confirm(name: string): Promise<void> {
    return this.page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  }

  /** Chooses an action in the menu of a panel. */
  async choose(action: string, panel: string): Promise<void> {
    await this.button(`More actions for ${panel}`).click();
    await this.page.getByRole("menuitem", { name: action }).click();
  }

  /** Chooses an action of the open menu by keyboard. */
  async chooseByKey(action: string): Promise<void> {
    await this.focusesIn("menu");
    await this.page.getByRole("menuitem", { name: action }).press("Enter");
  }

  /** Resolves when the open dialog or menu has taken the focus, which it does only after it has appeared. */
  async focusesIn(role: "dialog" | "menu"): Promise<void> {
    await this.page.getByRole(role).locator(":focus").waitFor({ state: "attached" });
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
    if (!(await this.page.evaluate<boolean>("'axe' in window"))) await this.page.evaluate(AXE);
    const first = await this.#violations();
    await this.#setColorScheme(this.#colorScheme === "light" ? "dark" : "light");
    return [...first, ...(await this.#violations())];
  }

  async #setColorScheme(colorScheme: ColorScheme): Promise<void> {
    this.#colorScheme = colorScheme;
    await this.page.emulateMedia({ colorScheme });
    await this.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  }

  async #violations(): Promise<string[]> {
    // Contrast is the only rule that depends on the color scheme. The report names elements by their HTML.
    const runOnly = this.#colorScheme === "light" ? RULES : ["color-contrast"];
    const options = { runOnly, resultTypes: ["violations"], selectors: false, iframes: false };
    const found = await this.page.evaluate<Violation[]>(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
    );
    return found.flatMap(({ id, nodes }) => nodes.map(({ html, errorSummary }) => `${id}: ${html}: ${errorSummary}`));
  }

  /**
   * Resolves when an element with the text appears. This checks only twice a second, which suits what takes seconds in
   * the background.
   */
  awaits(text: string): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  /** Lets Tab begin at the start of the page, as it does when the page has just been loaded. */
  async focusStart(): Promise<void> {
    await this.page.evaluate(
      'document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex")',
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
  nodes: { html: string; errorSummary: string }[];
}

/** Creates a visitor, who leaves at the end of the test. */
export async function visitor(service: Pick<TestService, "address">, options: VisitorOptions = {}): Promise<Visitor> {
  const created = await lastingVisitor(service, options);
  registerCleanup(() => created.leave());
  return created;
}

/** Creates a visitor, who stays until the end of the run. */
export async function lastingVisitor(
  { address }: Pick<TestService, "address">,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { cookie, viewport, colorScheme = "light", permissions, isMobile, locale, timezoneId } = options;
  // A touch screen, a language and a time zone cannot be added to a page later.
  const context = { ...(isMobile && { hasTouch: true, isMobile }), ...(locale && { locale, timezoneId }) };
  const hasOwnContext = Object.keys(context).length > 0;
  const page = hasOwnContext ? await newPage(context) : await takePage();
  const created = new Visitor(address, page, { colorScheme, hasOwnContext });
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  if (permissions) await page.context().grantPermissions(permissions);
  if (cookie) {
    const [name = "", value = ""] = cookie.split("=");
    await page.context().addCookies([{ name, value, url: address, httpOnly: true, sameSite: "Strict" }]);
  }
  return created;
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
