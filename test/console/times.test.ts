import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { addCommit } from "./commit.ts";
import { describeInBrowser, EVENTUALLY, signedIn, type Visitor } from "./visitor.ts";

const service = await startTestService();
const OWNER = "times@console.example";

/** Signs in with a browser in this language and time zone. */
async function openIn(locale: string, timezoneId: string): Promise<Visitor> {
  return signedIn(service, OWNER, { locale, timezoneId });
}

/** Adds activities of two days in Berlin. Returns the ID of their workspace. */
async function addHistory(): Promise<string> {
  const workspace = await ownedWorkspace(service, OWNER);
  await addCommit(workspace, "half past midnight", { timestamp: Date.parse("2026-11-24T23:30Z") });
  await addCommit(workspace, "before midnight", { timestamp: Date.parse("2026-11-24T22:30Z") });
  return workspace.id;
}

describeInBrowser("times and numbers", () => {
  test("a shared period shows the same records in every time zone, whose name stands beside the times", async () => {
    const id = await addHistory();
    const sender = await openIn("de-DE", "Europe/Berlin");
    await sender.open(`/${id}/activities`);
    await sender.page.getByLabel("Time", { exact: true }).selectOption("Custom");
    await sender.page.getByLabel("From (GMT+1)").fill("2026-11-25T00:00");
    await sender.page.getByLabel("From (GMT+1)").press("Enter");
    await sender.page.getByText("before midnight").waitFor({ state: "detached" });
    await sender.sees("half past midnight");
    const { pathname, search } = new URL(sender.page.url());
    expect(new URLSearchParams(search).get("from")).toBe("2026-11-25T00:00+01:00");

    const receiver = await openIn("en-US", "America/Los_Angeles");
    await receiver.open(pathname.replace("/console", "") + search);
    await receiver.sees("half past midnight");
    expect(await receiver.text()).not.toContain("before midnight");
    expect(await receiver.page.getByLabel("From (PST)").inputValue()).toBe("2026-11-24T15:00");
    const times = receiver.page.locator("main time");
    expect(await times.first().getAttribute("title")).toMatch(/^Nov 24, 2026, 3:30:00\sPM PST$/);
    expect([...sender.problems, ...receiver.problems]).toEqual([]);
  });

  test("the last days are one choice, and clearing it shows all", async () => {
    const id = await addHistory();
    const owner = await openIn("en-GB", "UTC");
    await owner.open(`/${id}/activities`);
    const time = owner.page.getByLabel("Time", { exact: true });
    await time.selectOption("Last hour");
    await owner.sees("No activity matches these filters.");
    const from = Date.parse(new URL(owner.page.url()).searchParams.get("from") ?? "");
    expect(Date.now() - from).toBeLessThan(2 * 3_600_000);
    await time.selectOption("Any");
    await owner.sees("half past midnight");
    expect(new URL(owner.page.url()).search).toBe("");
  });

  test("a browser in another language shows dates and numbers in English, like the sentences", async () => {
    const id = await addHistory();
    const owner = await openIn("de-DE", "Europe/Berlin");
    await owner.page.route("**/v2/workspace/overview/get", async (route) => {
      const response = await route.fetch();
      const { result } = await response.json();
      await route.fulfill({ json: { result: { ...result, data: { ...result.data, last24Hours: 6727 } } } });
    });
    await owner.open(`/${id}/overview`);
    await owner.sees("6,727");
    const label = await owner.page.locator(".chart-bar").first().getAttribute("aria-label");
    expect(label).toMatch(/^Nov \d+: /);
    await expect.poll(() => owner.text(), EVENTUALLY).toContain("Times are those of Europe/Berlin.");
  });
});
