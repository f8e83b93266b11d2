import { expect, test } from "vitest";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY } from "./visitor.ts";

describeInBrowser("trying an operation", () => {
  test("a request that deletes is sent after the ID of what it deletes was typed, by keyboard", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const organizations = [{ organizationId: "acme-archive", organizationName: "Archive" }];
    await workspace.data("/v2/organizations/add", { organizations });
    const count = async () => (await workspace.data("/v2/organizations/get", {})).length;
    await owner.follow(`/${workspace.id}/api?operation=/v2/organizations/delete`);
    const dialog = owner.page.getByRole("dialog");
    await owner.button("Send").press("Enter");
    await dialog.getByLabel("Type acme-archive to confirm").fill("acme");
    expect(await dialog.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect(await count()).toBe(1);
    await owner.page.keyboard.type("-archive");
    await owner.page.keyboard.press("Enter");
    await owner.sees("HTTP 200");
    await expect.poll(count, EVENTUALLY).toBe(0);
    expect(owner.problems).toEqual([]);
  });
});
