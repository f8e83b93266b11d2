import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { describeInBrowser, signedIn } from "./visitor.ts";

const OWNER = "owner@example.com";
const service = await startTestService();

const SHOWN = ["/v2/activities/add", "/v2/workspaces/get"];

/** Returns the document with two operations. To render them all takes two seconds of processor time. */
function shortened(document: { paths: Record<string, unknown> }): object {
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(SHOWN));
  expect(JSON.stringify(document), "a text that would load something or run a script").not.toMatch(/!\[|<[a-z]/i);
  const paths = Object.fromEntries(SHOWN.map((path) => [path, document.paths[path]]));
  return { ...document, paths };
}

describeInBrowser("the reference at /docs", () => {
  test("follows its content security policy, and rejects a request without an API key despite a session", async () => {
    await ownedWorkspace(service, OWNER);
    const { page, problems } = await signedIn(service, OWNER);
    await page.route("**/openapi.json", async (route) => {
      const original = await route.fetch();
      await route.fulfill({ response: original, json: shortened(await original.json()) });
    });
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
