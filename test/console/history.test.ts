import { expect, test } from "vitest";
import { addActivities } from "../factories.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

describeInBrowser("the browser's history", () => {
  test("has no drawer that was closed, which Back would open again", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, ["one"]);
    await owner.follow(`/${workspace.id}/people`);
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.button(/^View /).click();
    const drawer = owner.page.getByRole("dialog", { name: "Activity record" });
    await drawer.waitFor();
    await owner.page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await owner.page.goBack();
    expect(owner.page.url()).not.toContain("record=");
  });
});
