import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { describeInBrowser, EVENTUALLY, signedIn, visitor } from "./visitor.ts";

const OWNER = "owner@example.com";
const service = await startTestService();

describeInBrowser("the reference at /docs", () => {
  test("shows the operations without violating its content security policy or calling another host", async () => {
    const stranger = await visitor(service);
    const response = await stranger.page.goto(`${service.address}/docs`);
    expect(response?.headers()).toMatchObject({
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/,
      ),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    const shown = () => stranger.page.locator("body").innerText();
    await expect.poll(shown, EVENTUALLY).toContain("Add activities");
    expect(stranger.problems).toEqual([]);
  });

  test("rejects a test request without an API key, even with a session", async () => {
    await ownedWorkspace(service, OWNER);
    const { page } = await signedIn(service, OWNER);
    await page.goto(`${service.address}/docs#tag/workspaces/POST/v2/workspaces/get`);
    await page.getByRole("button", { name: "Test Request (post /v2/workspaces/get)" }).click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/v2/workspaces/get")),
      page.getByRole("button", { name: "Send Request" }).click(),
    ]);
    expect(await answer.json()).toMatchObject({ error: { details: { reason: "credentials_missing" } } });
  });
});
