import { beforeAll, expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { addCommits } from "./commit.ts";
import { fillWorkspace, PAGES, VIEWS, type View } from "./views.ts";
import { describeInBrowser, signedIn, type Visitor, visitor } from "./visitor.ts";

const OWNER = "owner@example.com";
const service = await startTestService();

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Operations that pages call again every few seconds. */
const POLLED = ["/v2/presence/get", "/v2/workspace/activities/get", "/v2/workspace/overview/get"];

/** Returns the calls in order, without those that a slow machine gives pages the time to repeat. */
function withoutPolls(calls: string[]): string[] {
  return calls.filter((path, index) => !POLLED.includes(path) || calls.indexOf(path) === index).toSorted();
}

describeInBrowser("pages of a workspace with data", () => {
  let owner: Visitor;
  let workspaceId: string;
  beforeAll(async () => {
    const workspace = await fillWorkspace(service, OWNER);
    workspaceId = workspace.id;
    owner = await signedIn(service, OWNER, { permissions: ["clipboard-read", "clipboard-write"] });
    return () => owner.leave();
  });

  async function expectData({ heading, shows }: View): Promise<void> {
    await owner.loaded();
    expect(await owner.page.getByRole("heading", { level: 1 }).innerText()).toBe(heading);
    expect(await owner.page.title()).toBe(`${heading} · Colloquy`);
    for (const text of shows) await owner.sees(text);
  }

  test.each(PAGES)("$path loads on a phone with one request a panel, and calls no other host", async (view) => {
    await owner.page.setViewportSize(PHONE);
    await owner.open(`/${workspaceId}${view.path}`);
    await expectData(view);
    expect(withoutPolls(owner.calls)).toEqual([...view.requests, "/v2/workspaces/get"].toSorted());
    expect(owner.problems).toEqual([]);
  });

  test.each(VIEWS)("$path is accessible, fits on a phone, and repeats no request", async (view) => {
    await owner.page.setViewportSize(DESKTOP);
    owner.calls = [];
    await owner.follow(`/${workspaceId}${view.path}`);
    await expectData(view);
    // Responses of the last 10 seconds are shown from the cache.
    const calls = withoutPolls(owner.calls);
    expect(view.requests).toEqual(expect.arrayContaining(calls));
    expect(calls).toEqual([...new Set(calls)]);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.setViewportSize(PHONE);
    expect(await owner.overflow(), "horizontal overflow").toBe(0);
    expect(owner.problems).toEqual([]);
  });

  test("the navigation links to every page and marks the current one", async () => {
    await owner.page.setViewportSize(DESKTOP);
    await owner.open("/");
    await owner.loaded();
    const links = owner.page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(paths).toEqual(PAGES.map(({ path }) => `/console/${workspaceId}${path.replace(/\?.*/, "")}`));
    await links.filter({ hasText: "Presence" }).click();
    await owner.sees("Users in a document right now.");
    expect(await owner.page.locator("[aria-current=page]").allInnerTexts()).toEqual(["Presence"]);
  });

  test("the record of an activity opens in a drawer with its own URL, and Back closes it", async () => {
    await owner.open(`/${workspaceId}/activities?organization=git`);
    await owner.button("View record").first().click();
    const drawer = owner.page.getByRole("dialog", { name: "Activity record" });
    await drawer.getByText('"actionType": "commit.add"').waitFor();
    expect(owner.page.url()).toContain("record=");
    await owner.page.goBack();
    await drawer.waitFor({ state: "detached" });
  });

  test("a panel copies its request as a curl command with the API key and without a secret", async () => {
    await owner.open(`/${workspaceId}/activities?organization=git`);
    await owner.button("Copy as curl").click();
    const copied = await owner.page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain(`curl '${service.address}/v2/activities/get'`);
    expect(copied).toContain("x-service-auth-token: YOUR_AUTH_TOKEN");
    expect(copied).toContain('"organizationId":"git"');
  });
});

describeInBrowser("a long list", () => {
  test("can be paged forward to its end and back", async () => {
    const workspace = await ownedWorkspace(service, "archivist@example.com");
    const subjects = Array.from({ length: 101 }, (_, index) => `Commit ${index + 1}.`);
    await addCommits(workspace, subjects);
    const archivist = await signedIn(service, "archivist@example.com");
    const turn = (name: string) => archivist.page.getByRole("link", { name }).click();
    await archivist.open(`/${workspace.id}/activities?organization=acme`);
    await archivist.sees("Commit 101.");
    await turn("Next page");
    await archivist.sees("Commit 51.");
    await turn("Next page");
    await archivist.sees("Commit 1.");
    await archivist.page.getByRole("link", { name: "Next page" }).waitFor({ state: "detached" });
    await turn("Previous page");
    await archivist.sees("Commit 51.");
    await turn("Previous page");
    await archivist.sees("Commit 101.");
    await archivist.page.getByRole("link", { name: "Previous page" }).waitFor({ state: "detached" });
  });
});

describeInBrowser("the console's HTML page", () => {
  test("has no inline script, and its content security policy blocks injected ones", async () => {
    const stranger = await visitor(service);
    const response = await stranger.page.goto(`${service.address}/console`);
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
    expect(await stranger.page.locator("script:not([src])").count()).toBe(0);
    await stranger.sees("Sign in to Colloquy");
    // An injected script does not run.
    await stranger.page.evaluate(`
      const script = document.createElement("script");
      script.textContent = "document.title = 'taken over'";
      document.body.append(script);
    `);
    expect(await stranger.page.title()).toBe("Sign in · Colloquy");
    expect(stranger.problems).toEqual([expect.stringContaining("Content Security Policy")]);
  });
});
