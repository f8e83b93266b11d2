import { beforeAll, expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { longTest, size } from "../sizes.ts";
import { DESKTOP } from "./browser.ts";
import { fillWorkspace } from "./fill-workspace.ts";
import { walkByKeyboard } from "./keyboard-walk.ts";
import { enterWorkspace, newWorkspace } from "./owner.ts";
import { NEWEST_SUBJECT } from "./repository.ts";
import type { View } from "./view.ts";
import { PAGES, VIEWS } from "./views.ts";
import { describeInBrowser, EVENTUALLY, type Visitor } from "./visitor.ts";

const { address } = await startTestService();
const PHONE = { width: 390, height: 844 };

function getPage({ path }: View): string {
  return path.replace(/\?.*/, "");
}

/** The first view of each page, or all. */
const SHOWN_VIEWS = size({
  usual: VIEWS.filter((view) => VIEWS.find((other) => getPage(other) === getPage(view)) === view),
  long: VIEWS,
});

/** Views to check in both sizes of the window, by axe and by keyboard: a chart, a feed, a table and forms, or all. */
const CHECKED_VIEWS = size({
  usual: SHOWN_VIEWS.filter(({ path }) => ["/overview", "/activities", "/documents", "/settings"].includes(path)),
  long: VIEWS,
});

/** Sizes of the window in which axe checks a page. */
const CHECKED_SIZES = size({ usual: [DESKTOP], long: [PHONE, DESKTOP] });

/** Views to load by their URL: their scripts have the fewest, the most and other parts in common with the rest. */
const COLD_VIEWS = VIEWS.filter(({ path }) =>
  size({ usual: /^\/documents.*=engine/, long: /^\/(overview|documents.*=engine|api\?)/ }).test(path),
);

/** Operations that pages call again every few seconds. */
const POLLED = [
  "/v2/organizations/presence/get",
  "/v2/presence/get",
  "/v2/workspace/activities/get",
  "/v2/workspace/overview/get",
];

/** Returns the calls in order, without those that a slow machine gives pages the time to repeat. */
function withoutPolls(calls: string[]): string[] {
  return calls.filter((path, index) => !POLLED.includes(path) || calls.indexOf(path) === index).toSorted();
}

describeInBrowser("pages of a workspace with data", () => {
  let owner: Visitor;
  let workspaceId: string;
  beforeAll(async () => {
    const workspace = await newWorkspace();
    workspaceId = workspace.id;
    await fillWorkspace(workspace, address);
    owner = await enterWorkspace(workspace);
    return () => owner.rest();
  });

  function isOnPhone(): boolean {
    return owner.page.viewportSize()?.width === PHONE.width;
  }

  async function expectData({ heading, title = heading, shows }: View): Promise<void> {
    await owner.loaded();
    expect(await owner.page.getByRole("heading", { level: 1 }).innerText()).toBe(heading);
    expect(await owner.page.title()).toBe(`${title} · Colloquy`);
    for (const text of shows) await owner.sees(text);
  }

  test.each(CHECKED_VIEWS)(
    "$path is accessible, also by keyboard, fits on a phone, and sends one request a panel",
    async (view) => {
      await owner.followAnew(workspaceId, view.path);
      // Begins in the window of the test before, which halves the changes of its size.
      for (const viewport of isOnPhone() ? [PHONE, DESKTOP] : [DESKTOP, PHONE]) {
        await owner.page.setViewportSize(viewport);
        await expectData(view);
        if (CHECKED_SIZES.includes(viewport)) expect(await owner.accessibilityViolations()).toEqual([]);
        if (isOnPhone()) expect(await owner.overflow(), "horizontal overflow").toBe(0);
        else expect(await walkByKeyboard(owner), "what the keyboard does not reach").toEqual([]);
      }
      expect(withoutPolls(owner.calls)).toEqual(view.requests.toSorted());
      expect(owner.problems, "among them requests to other hosts").toEqual([]);
    },
  );

  test.each(SHOWN_VIEWS.filter((view) => !CHECKED_VIEWS.includes(view)))(
    "$path shows its data, and sends one request a panel",
    async (view) => {
      await owner.page.setViewportSize(DESKTOP);
      await owner.followAnew(workspaceId, view.path);
      await expectData(view);
      expect(withoutPolls(owner.calls)).toEqual(view.requests.toSorted());
      expect(owner.problems, "among them requests to other hosts").toEqual([]);
    },
  );

  test("the navigation links to every page in groups and marks the current one", async () => {
    await owner.page.setViewportSize(DESKTOP);
    await owner.follow(`/${workspaceId}/people`);
    const links = owner.page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")?.split("?")[0]));
    expect(new Set(paths)).toEqual(new Set(PAGES.map((name) => `/console/${workspaceId}/${name}`)));
    await links.filter({ hasText: "Presence" }).click();
    await owner.sees("Users in a document right now.");
    expect(await owner.page.locator("[aria-current=page]").allInnerTexts()).toEqual(["Presence"]);
    await owner.follow(`/${workspaceId}/settings?tab=tokens`);
    await owner.sees("Settings: Auth tokens");
    expect(await owner.page.locator("[aria-current=page]").allInnerTexts()).toEqual(["Settings"]);
    expect(await links.filter({ hasText: /Auth tokens|Allowed domains/ }).count()).toBe(0);
  });

  test("an activity opens in a drawer with its own URL, and Back closes it", async () => {
    await owner.follow(`/${workspaceId}/activities?organization=git`);
    await owner.page.locator("[data-opens]").first().click();
    const drawer = owner.page.getByRole("dialog", { name: "Activity" });
    await drawer.getByText(NEWEST_SUBJECT).waitFor();
    expect(owner.page.url()).toContain("record=");
    await owner.page.goBack();
    await drawer.waitFor({ state: "detached" });
  });

  longTest("a link to a record sends one request, and another one if the record is on a later page", async () => {
    const path = "/documents?organization=git&document=engine";
    const lists = () => owner.calls.filter((call) => call === "/v2/commentannotations/get");
    const drawer = owner.page.getByRole("dialog", { name: "Thread" });
    await owner.followAnew(workspaceId, `${path}&record=stopping`);
    await drawer.getByText("It answers first.").waitFor();
    await owner.loaded();
    expect(lists()).toHaveLength(1);
    await owner.follow(`/${workspaceId}/none`);
    await drawer.waitFor({ state: "detached" });
    await owner.page.route("**/v2/commentannotations/get", async (route) => {
      const { data } = route.request().postDataJSON();
      if (data.annotationIds) return route.continue();
      await route.fulfill({ json: { result: { data: { [data.documentId]: [] } } } });
    });
    await owner.followAnew(workspaceId, `${path}&record=stopping`);
    await expect.poll(lists, EVENTUALLY).toHaveLength(2);
    await drawer.getByText("It answers first.").waitFor();
    await owner.page.unroute("**/v2/commentannotations/get");
    await owner.page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  longTest("so does one of the feed of all organizations, which a shared URL opens", async () => {
    await owner.follow(`/${workspaceId}/activities?from=2000-01-01T00:00`);
    await owner.page.locator("[data-opens]").first().click();
    const drawer = owner.page.getByRole("dialog", { name: "Activity" });
    await drawer.getByText("commit.add").waitFor();
    const { pathname, search } = new URL(owner.page.url());
    const [organizationId = "", id = ""] = new URLSearchParams(search).get("record")?.split("/") ?? [];
    await drawer.getByRole("link", { name: organizationId, exact: true }).waitFor();
    await owner.page.goBack();
    await drawer.waitFor({ state: "detached" });
    // No activity of this page is as old, so the record is read by its URL.
    const shared = new URLSearchParams({ to: "2000-01-01T00:00", record: `${organizationId}/${id}` });
    await owner.follow(`${pathname.replace("/console", "")}?${shared}`);
    await owner.sees("No activity matches");
    await drawer.getByRole("button", { name: "View JSON" }).click();
    await drawer.getByText(`"id": "${id}"`).waitFor();
  });

  longTest("a document without its organization does not filter, and the page says so", async () => {
    await owner.follow(`/${workspaceId}/activities?document=engine`);
    await owner.sees("Choose the organization of document engine");
    await owner.page.getByRole("combobox", { name: "Organization" }).fill("git");
    await owner.page.getByRole("option", { name: "git" }).click();
    await expect.poll(() => new URL(owner.page.url()).search).toBe("?document=engine&organization=git");
    await owner.follow(`/${workspaceId}/activities?document=engine`);
    await owner.page.getByRole("link", { name: "clear this filter" }).click();
    await expect.poll(() => new URL(owner.page.url()).search).toBe("");
  });

  longTest("the request log suggests operations of the API, and leads to the reference of one", async () => {
    await owner.follow(`/${workspaceId}/requests`);
    await owner.loaded();
    const operation = owner.page.getByRole("combobox", { name: "Operation" });
    await operation.fill("recordings/a");
    await owner.page.getByRole("option", { name: "/v2/recordings/add", exact: true }).click();
    await expect.poll(() => new URL(owner.page.url()).searchParams.get("operation")).toBe("/v2/recordings/add");
    await owner.page.locator("main tbody tr").first().click();
    const drawer = owner.page.getByRole("dialog", { name: "Request" });
    await drawer.getByRole("link", { name: "Reference of /v2/recordings/add" }).click();
    await owner.page.getByRole("heading", { level: 1, name: "API" }).waitFor();
    expect(new URL(owner.page.url()).searchParams.get("operation")).toBe("/v2/recordings/add");
  });

  longTest("the chart is read by keyboard, and a bar leads to its activities", async () => {
    await owner.follow(`/${workspaceId}/overview?days=2`);
    await owner.sees("Activity per hour");
    const bars = owner.page.getByRole("group", { name: /^14 activities in \d+ hours, at most 14/ });
    const bar = bars.getByRole("link", { name: /: 14 activities · Your product 14$/ });
    await owner.page.locator(".chart-bar[tabindex='0']").focus();
    await owner.page.keyboard.press("Home");
    await owner.sees(/: 0 activities\n/);
    await owner.page.keyboard.press("End");
    const last = await bars.getByRole("link").last().getAttribute("aria-label");
    expect(await bars.locator(":focus").getAttribute("aria-label")).toBe(last);
    await bar.focus();
    await owner.page.keyboard.press("Enter");
    await owner.sees("git / engine");
    expect(await owner.page.getByLabel(/^From/).inputValue()).toMatch(/T\d\d:\d\d$/);
    expect(await owner.accessibilityViolations()).toEqual([]);
  });

  test("activities are found by words and time, and by what the page shows", async () => {
    await owner.follow(`/${workspaceId}/activities?organization=git`);
    await owner.sees(NEWEST_SUBJECT);
    const filter = (name: string) => owner.page.getByLabel(name, { exact: true });
    await filter("Words").fill("limit body");
    await filter("Words").press("Enter");
    await owner.page.getByText(NEWEST_SUBJECT).waitFor({ state: "detached" });
    await owner.sees("Limit the body of a request");
    await owner.button("Clear Words").click();
    await owner.sees(NEWEST_SUBJECT);
    const document = owner.page.getByRole("combobox", { name: "Document" });
    await document.fill("eng");
    await owner.page.getByRole("option", { name: "engine", exact: true }).waitFor();
    await document.press("ArrowDown");
    await document.press("Enter");
    await expect.poll(() => new URL(owner.page.url()).searchParams.get("document")).toBe("engine");
    await owner.button("Clear Document").click();
    await owner.page.getByRole("combobox", { name: "User" }).click();
    await owner.page.getByRole("option", { name: "Grace Hopper (grace@example.com)" }).click();
    await owner.page.getByText(NEWEST_SUBJECT).waitFor({ state: "detached" });
    await owner.page.getByRole("combobox", { name: "Organization" }).fill("");
    await owner.page.getByRole("option", { name: "All organizations" }).click();
    await owner.sees("team engine / engine: src/http");
    expect(new URL(owner.page.url()).search).toBe("?user=grace%40example.com");
    expect(await owner.page.getByLabel("Document", { exact: true }).count()).toBe(0);
    await filter("Time").selectOption("Custom");
    await owner.page.getByLabel(/^From/).fill("2100-01-01T00:00");
    await owner.page.getByLabel(/^From/).press("Enter");
    await owner.sees("No activity matches these filters.");
  });

  test("a panel's menu copies its request for curl and TypeScript, with the API key and without a secret", async () => {
    const clipboard = () => owner.page.evaluate<string>("navigator.clipboard.readText()");
    await owner.follow(`/${workspaceId}/activities?organization=git`);
    await owner.choose("Copy as curl", "Activity feed");
    expect(await owner.accessibilityViolations()).toEqual([]);
    const command = await clipboard();
    expect(command).toContain(`curl '${address}/v2/activities/get'`);
    expect(command).toContain("x-service-auth-token: YOUR_AUTH_TOKEN");
    expect(command).toContain('"organizationId":"git"');
    await owner.page.getByRole("menuitem", { name: "Copy as TypeScript" }).click();
    await expect.poll(clipboard).toContain(`await fetch("${address}/v2/activities/get"`);
    expect(await clipboard()).toContain('"x-service-auth-token": "YOUR_AUTH_TOKEN"');
    await owner.page.keyboard.press("Escape");
    await expect.poll(() => owner.focused()).toBe("More actions for Activity feed");
    // The browser sees a page that is served without TLS.
    await owner.page.evaluate('Object.defineProperty(window, "isSecureContext", { value: false })');
    await owner.page.evaluate('navigator.clipboard.writeText("")');
    await owner.choose("Copy as curl", "Activity feed");
    await owner.page.getByRole("menuitem", { name: "Copied" }).waitFor();
    expect(await clipboard()).toBe(command);
  });

  test.each(COLD_VIEWS)("$path loads on a phone with one request a panel, and calls no other host", async (view) => {
    await owner.page.setViewportSize(PHONE);
    await owner.open(`/${workspaceId}${view.path}`);
    await expectData(view);
    expect(withoutPolls(owner.calls)).toEqual([...view.requests, "/v2/workspaces/get"].toSorted());
    expect(owner.problems).toEqual([]);
  });
});
