import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY } from "./visitor.ts";

describeInBrowser("the operation filter of the request log", () => {
  longTest("a text that names no operation becomes the first suggestion without a request for the text", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const asked: unknown[] = [];
    await owner.page.route("**/v2/workspace/requests/get", async (route) => {
      asked.push(route.request().postDataJSON().data.operation);
      await route.continue();
    });
    await owner.follow(`/${workspace.id}/requests`);
    await owner.loaded();
    const field = owner.page.getByRole("combobox", { name: "Operation" });
    await field.fill("authtokens");
    await owner.page.getByRole("option", { name: "/v2/workspace/authtokens/add" }).waitFor();
    await field.press("Enter");
    await expect.poll(() => field.inputValue(), EVENTUALLY).toBe("/v2/workspace/authtokens/add");
    await owner.sees("No request matches these filters.");
    expect(new URL(owner.page.url()).searchParams.get("operation")).toBe("/v2/workspace/authtokens/add");
    expect(asked).toEqual([undefined, "/v2/workspace/authtokens/add"]);
    expect(await field.evaluate((input) => input.matches(":focus"))).toBe(true);
    expect(owner.problems).toEqual([]);
  });

  test.each(["usergroups/users", "/v1/organizations/usergroups/users/add"])(
    "%s becomes the path by which requests are logged, not an alias",
    async (text) => {
      const { workspace, owner } = await enterNewWorkspace();
      await owner.follow(`/${workspace.id}/requests`);
      await owner.loaded();
      const field = owner.page.getByRole("combobox", { name: "Operation" });
      await field.fill(text);
      await field.press("Enter");
      await expect.poll(() => field.inputValue(), EVENTUALLY).toBe("/v2/organizations/usergroups/users/add");
    },
  );

  longTest("an operation leads from a later page to the first page of its requests", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/requests?page=another`);
    await owner.sees("This page of the list is no longer available");
    const field = owner.page.getByRole("combobox", { name: "Operation" });
    await field.fill("/v2/organizations/get");
    await field.press("Enter");
    await owner.sees("No request matches these filters.");
    expect(new URL(owner.page.url()).search).toBe("?operation=%2Fv2%2Forganizations%2Fget");
  });
});

describeInBrowser("the request log", () => {
  test("shows what a revoked token did, by its name, with message, status, address and error rate", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const { id, authToken } = await workspace.data("/v2/workspace/authtokens/add", { name: "leaked" });
    await owner.follow(`/${workspace.id}/settings?tab=tokens`);
    await owner.sees(`ends in ${authToken.slice(-4)}`);
    await workspace.data("/v2/workspace/authtokens/delete", { tokenIds: [id] });
    const headers = { "x-service-auth-token": authToken };
    await workspace.call("/v2/organizations/get", {}, headers);
    await workspace.call("/v2/users/get", { organizationId: "acme" });
    await eventually(async () => {
      expect(await workspace.data("/v2/workspace/requests/get", { authTokenId: id })).toHaveLength(1);
    });
    await owner.follow(`/${workspace.id}/requests?token=${id}`);
    await owner.sees("The auth token is invalid, revoked or not of this workspace.");
    await owner.sees("auth token leaked (revoked)");
    await owner.sees(/HTTP 403/);
    await owner.sees(/127\.0\.0\.1/);
    await owner.sees("1 of 1 request failed (100%)");
    expect(await owner.page.getByRole("img", { name: /^Errors in 30 intervals/ }).count()).toBe(1);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.setViewportSize({ width: 390, height: 844 });
    const height = await owner.page.locator("main tbody tr").evaluate((row) => row.getBoundingClientRect().height);
    expect(height).toBeLessThan(130);
    const status = owner.page.locator("main tbody .outcome");
    expect(await status.evaluate((badge) => badge.scrollWidth - badge.clientWidth)).toBe(0);
    expect(await owner.page.getByRole("banner").getByText("Colloquy").isVisible()).toBe(true);
    await owner.page.getByRole("link", { name: "/v2/organizations/get" }).click();
    const drawer = owner.page.getByRole("dialog", { name: "Request" });
    await drawer.getByText("PERMISSION_DENIED (HTTP 403)").waitFor();
    expect(await drawer.innerText()).not.toContain("curl");
    await owner.follow(`/${workspace.id}/settings?tab=audit`);
    await owner.sees("Tokens: leaked");
    const filters = await owner.page.getByLabel("Filters of the audit log").boundingBox();
    const panel = await owner.page.getByRole("region", { name: "Audit log" }).boundingBox();
    expect(panel?.y).toBeGreaterThan((filters?.y ?? 0) + (filters?.height ?? 0) + 8);
    expect(owner.problems).toEqual([]);
  });

  test("shows who has reached which limit", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const { id, authToken } = await workspace.data("/v2/workspace/authtokens/add", { name: "slides" });
    const headers = { "x-service-auth-token": authToken };
    const state = { ...SCOPE, liveStateDataId: "slide", merge: true };
    for (const field of ["one", "two"]) {
      await workspace.call("/v2/livestate/broadcast", { ...state, data: { [field]: "x".repeat(60_000) } }, headers);
    }
    await eventually(async () => {
      expect(await workspace.data("/v2/workspace/requests/get", { authTokenId: id })).toHaveLength(2);
    });
    await owner.follow(`/${workspace.id}/requests`);
    const row = owner.page.getByRole("table", { name: "Callers that have reached limits" }).getByRole("row").nth(1);
    await expect.poll(() => row.innerText(), EVENTUALLY).toMatch(/auth token slides\s+live_state_size\s+1\s/);
    expect(owner.problems).toEqual([]);
  });
});
