import { expect, test } from "vitest";
import { addActivities } from "../factories.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

describeInBrowser("the browser's history", () => {
  test("has no drawer that was closed, which Back would open again", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, ["one"]);
    await owner.follow(`/${workspace.id}/people`);
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.button(/^View /).click();
    const drawer = owner.page.getByRole("dialog", { name: "Activity", exact: true });
    await drawer.waitFor();
    await owner.page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await owner.page.goBack();
    expect(owner.page.url()).not.toContain("record=");
  });

  longTest("has one entry for a search, which is applied while it is typed and keeps the focus", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, [
      { id: "one", displayMessageTemplate: "Signed the lease" },
      { id: "two", displayMessageTemplate: "Signed the contract" },
    ]);
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.sees("Signed the contract");
    const query = () => new URL(owner.page.url()).searchParams.get("query");
    await owner.page.getByRole("searchbox", { name: "Words" }).focus();
    for (const [typed, applied] of [
      ["signed", "signed"],
      [" lease", "signed lease"],
    ] as const) {
      await owner.page.keyboard.type(typed);
      await expect.poll(query).toBe(applied);
    }
    await expect.poll(() => owner.text()).not.toContain("Signed the contract");
    expect(await owner.page.locator(":focus").inputValue()).toBe("signed lease");
    await owner.page.goBack();
    await owner.sees("Signed the contract");
    expect(query()).toBeNull();
    await expect.poll(() => owner.page.getByRole("searchbox", { name: "Words" }).inputValue()).toBe("");
  });
});
