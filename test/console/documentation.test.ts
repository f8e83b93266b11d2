import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { describeInBrowser, signedIn } from "./visitor.ts";

const OWNER = "owner@example.com";
const service = await startTestService();

describeInBrowser("the reference at /docs", () => {
  test("follows its content security policy, and rejects a request without an API key despite a session", async () => {
    await ownedWorkspace(service, OWNER);
    const { page, problems } = await signedIn(service, OWNER);
    const response = await page.goto(`${service.address}/docs#tag/workspaces/POST/v2/workspaces/get`);
    expect(response?.headers()).toMatchObject({
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/,
      ),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    await page.getByText("Add activities").first().waitFor();
    expect(problems, "policy violations and requests to other hosts").toEqual([]);
    await page.getByRole("button", { name: "Test Request (post /v2/workspaces/get)" }).click();
    const [answer] = await Promise.all([
      page.waitForResponse((answered) => answered.url().endsWith("/v2/workspaces/get")),
      page.getByRole("button", { name: "Send Request" }).click(),
    ]);
    expect(await answer.json()).toMatchObject({ error: { details: { reason: "credentials_missing" } } });
  });
});
