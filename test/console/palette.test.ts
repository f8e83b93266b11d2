import { expect, test } from "vitest";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY } from "./visitor.ts";

describeInBrowser("the palette", () => {
  test("finds a user before pages that only contain the letters, actions, and operations, by keyboard", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const users = [{ userId: "u-9", name: "Nia Okoro" }];
    await workspace.data("/v2/users/add", { organizationId: "acme", users });
    const { keyboard } = owner.page;
    const dialog = owner.page.getByRole("dialog", { name: "Search" });
    const find = async (text: string, option: string) => {
      await keyboard.press("Control+k");
      await dialog.getByRole("combobox").fill(text);
      const selected = dialog.getByRole("option", { selected: true });
      await expect.poll(() => selected.allInnerTexts(), EVENTUALLY).toEqual([expect.stringContaining(option)]);
    };
    await owner.follow(`/${workspace.id}/settings`);
    await owner.loaded();
    await find("ni", "Nia Okoro");
    await keyboard.press("Enter");
    await expect.poll(() => owner.page.url()).toMatch(/people\?user=u-9$/);
    await expect.poll(() => owner.focused(), EVENTUALLY).toBe("Nia Okoro");
    await find("revoke", "Revoke an auth token");
    expect(await owner.accessibilityViolations()).toEqual([]);
    await keyboard.press("Enter");
    await expect.poll(() => owner.page.url()).toMatch(/settings\?tab=tokens$/);
    await expect.poll(() => owner.focused(), EVENTUALLY).toBe("Settings: Auth tokens");
    await find("activities/add", "/v2/activities/add");
    await keyboard.press("Enter");
    await expect.poll(() => new URL(owner.page.url()).searchParams.get("operation")).toBe("/v2/activities/add");
    await expect.poll(() => owner.focused(), EVENTUALLY).toBe("API");
    const url = owner.page.url();
    const getScheme = () => owner.page.locator("html").getAttribute("data-mantine-color-scheme");
    await find("dark", "Dark mode");
    await keyboard.press("Enter");
    await expect.poll(getScheme).toBe("dark");
    expect(owner.page.url()).toBe(url);
    await find("auto theme", "Color scheme of the system");
    await keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(owner.problems).toEqual([]);
  });
});
