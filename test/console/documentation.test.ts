import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, visitor } from "./visitor.ts";

const service = await startTestService();
const OPERATION = "/v2/organizations/add";

describeInBrowser("the reference at /docs", () => {
  test("is public, lists every operation, shows examples, and leads to the sign-in page", async () => {
    const stranger = await visitor(service);
    await stranger.page.goto(`${service.address}/docs`);
    const document: { paths?: object } = Object(await (await fetch(`${service.address}/openapi.json`)).json());
    await stranger.sees(`${Object.keys(document.paths ?? {}).length} operations`);
    await stranger.page.getByRole("link", { name: "/v2/events/stream" }).click();
    await stranger.sees(/curl --no-buffer '.*\/v2\/events\/stream\?organizationId=acme/);
    await stranger.page.goto(`${service.address}/docs?operation=${encodeURIComponent(OPERATION)}`);
    await stranger.sees("x-service-api-key: YOUR_API_KEY");
    expect(await stranger.text()).not.toContain("Try it");
    expect(await stranger.accessibilityViolations()).toEqual([]);
    expect(stranger.problems, "policy violations, errors and requests to other hosts").toEqual([]);
    await stranger.button("Sign in").click();
    await stranger.page.getByRole("heading", { name: "Sign in to Colloquy" }).waitFor();
  });

  longTest("has the key of who is signed in, and sends requests on that workspace", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/api`);
    await owner.page.getByRole("region", { name: "API key" }).getByText(workspace.apiKey).waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.follow(`/${workspace.id}/api?operation=${encodeURIComponent(OPERATION)}`);
    await owner.sees(`x-service-api-key: ${workspace.apiKey}`);
    const data = owner.page.getByRole("textbox", { name: "Data" });
    await data.fill('{ "organizations": [');
    await owner.sees("This is not valid JSON.");
    expect(await owner.button("Send").isDisabled()).toBe(true);
    await data.fill('{ "organizations": [{ "organizationId": "acme" }] }');
    await owner.button("Send").click();
    await owner.sees(/HTTP 200 after \d+ ms/);
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect(await workspace.data("/v2/organizations/get", {})).toMatchObject([{ id: "acme" }]);
    expect(owner.problems).toEqual([]);
    await data.fill('{ "organizations": 1 }');
    await owner.button("Send").click();
    await owner.sees(/HTTP 400 after/);
  });
});
