import { expect, test } from "vitest";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };

describeInBrowser("the layout", () => {
  test("keeps a long name from cutting off the state of its row, and from running below its menu", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const organizationName = "International Association of Very Long Names and Their Friends".repeat(2);
    const organizations = [{ organizationId: "acme-with-a-long-id".repeat(3), organizationName }];
    await workspace.data("/v2/organizations/add", { organizations });
    const organizationIds = organizations.map(({ organizationId }) => organizationId);
    await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled: true });
    await owner.follow(`/${workspace.id}/organizations`);
    await owner.sees("1 organization");
    const state = owner.page.locator("td.state").getByText("Disabled");
    expect(await state.evaluate((label) => label.scrollWidth - label.clientWidth)).toBe(0);

    await owner.page.setViewportSize(PHONE);
    const name = await owner.page.getByRole("link", { name: organizationName }).boundingBox();
    const menu = await owner.button(`Actions for ${organizationName}`).boundingBox();
    expect((name?.x ?? PHONE.width) + (name?.width ?? 0)).toBeLessThanOrEqual(menu?.x ?? 0);
  });

  test("keeps tabs on a phone in one line, which shows the selected one", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.page.setViewportSize(PHONE);
    await owner.follow(`/${workspace.id}/settings?tab=audit`);
    const tab = await owner.page.getByRole("tab", { name: "Audit log" }).boundingBox();
    expect((tab?.x ?? PHONE.width) + (tab?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    const line = await owner.page.getByRole("tablist").boundingBox();
    expect(line?.height).toBe(tab?.height);
  });
});
