import { expect, test } from "vitest";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

const GET = "/v2/workspace/apikeyconfig/get";

describeInBrowser("the form for the settings of versions", () => {
  test("saves the minutes and days, says what is wrong, and turns automatic versions off", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/settings?tab=versions`);
    await owner.loaded();
    const minutes = owner.page.getByLabel("Minutes of editing between versions");
    await minutes.fill("2000");
    await owner.page.getByLabel("Days for which versions are kept").fill("7");
    await owner.button("Save").click();
    await owner.page.getByText(/1440/).waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await minutes.fill("60");
    await owner.button("Save").click();
    await owner.sees("Saved.");
    const stored = { automaticVersionMinutes: 60, automaticVersionDays: 7 };
    expect(await workspace.data(GET, {})).toMatchObject(stored);
    await owner.page.getByRole("switch", { name: "Automatic versions" }).uncheck();
    await owner.button("Save").click();
    await expect.poll(() => workspace.data(GET, {})).toMatchObject({ ...stored, automaticVersionMinutes: 0 });
  });
});
