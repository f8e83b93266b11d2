import { expect, test } from "vitest";
import type { AccessRole } from "../../src/contract/end-user.ts";
import { readAnnotations } from "../comments.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";
import { accessibilityViolations, openPage } from "./react-page.ts";
import { removeComment, selectAction } from "./thread-actions.ts";

const service = await startTestService();

/** Returns a user of a page with a token for the document. */
async function userWith(workspace: TestWorkspace, userId: string, accessRole: AccessRole) {
  const { organizationId, documentId } = SCOPE;
  const resources = [{ type: "document" as const, id: documentId, organizationId, accessRole }];
  return { userId, token: await tokenFor(workspace, userId, { resources }) };
}

describeInBrowser("a review", () => {
  test("goes from question to answer between two browsers, in which each role has its buttons", async () => {
    const workspace = await service.workspace();
    await workspace.data("/v2/organizations/documents/add", {
      ...{ organizationId: SCOPE.organizationId, documents: [{ documentId: SCOPE.documentId }] },
    });
    const first = await openPage(service.address, workspace, [
      await userWith(workspace, "author", "commenter"),
      await userWith(workspace, "owner", "editor"),
    ]);
    const second = await openPage(service.address, workspace, [
      await userWith(workspace, "guest", "commenter"),
      await userWith(workspace, "moderator", "moderator"),
      await userWith(workspace, "reader", "viewer"),
    ]);
    const [author, owner] = [first.getRegion("author"), first.getRegion("owner")];
    const [guest, moderator, reader] = ["guest", "moderator", "reader"].map(second.getRegion);
    if (!guest || !moderator || !reader) throw new Error("A user is missing on the page.");
    const everybody = { author, owner, guest, moderator, reader };

    await author.getByRole("button", { name: "Ask" }).click();
    await author.locator('[data-pending="true"]').waitFor({ state: "detached" });
    const offered: Record<string, string[]> = {};
    for (const [name, region] of Object.entries(everybody)) {
      const thread = region.getByRole("article");
      await thread.getByText("When is it due?").waitFor();
      const menu = thread.getByRole("button", { name: /^Actions/ });
      offered[name] = (await thread.getByRole("button", { name: "Resolve" }).count()) > 0 ? ["Resolve"] : [];
      if ((await menu.count()) === 0) continue;
      await menu.press("Enter");
      offered[name]?.push(...(await thread.getByRole("menuitem").allTextContents()));
      await first.page.keyboard.press("Escape");
      await second.page.keyboard.press("Escape");
    }
    expect(offered).toEqual({
      author: ["Resolve", "Edit", "Delete"],
      owner: ["Resolve"],
      guest: [],
      moderator: ["Resolve", "Edit", "Delete"],
      reader: [],
    });
    expect(await reader.getByLabel("Reply").count()).toBe(0);

    await owner.getByRole("button", { name: "Resolve" }).click();
    for (const region of Object.values(everybody)) await region.getByText("Resolved", { exact: true }).waitFor();
    await guest.getByLabel("Reply").fill("Buy my watches.");
    await guest.getByRole("button", { name: "Send" }).click();
    const advertisement = { hasText: "Buy my watches." };
    await author.getByRole("article").getByRole("listitem").filter(advertisement).waitFor();

    const removed = moderator.getByRole("article").getByRole("listitem").filter(advertisement);
    await removeComment(removed);
    for (const region of Object.values(everybody)) {
      await expect.poll(() => region.getByRole("article").getByRole("listitem").filter(advertisement).count()).toBe(0);
      await region.getByText("The user moderator deleted a comment").waitFor();
    }
    await selectAction(moderator, "Edit");
    await moderator.getByRole("textbox", { name: "Edit" }).fill("When is the payment due?");
    await moderator.getByRole("button", { name: "Save" }).click();
    await author.getByText("Edited by a moderator").waitFor();
    expect(await accessibilityViolations(second.page)).toEqual([]);

    const [thread] = await readAnnotations(workspace);
    expect(thread).toMatchObject({
      ...{ from: { userId: "author" }, resolvedByUserId: "owner", status: { id: "RESOLVED" } },
      comments: [{ commentText: "When is the payment due?", updatedByUserId: "moderator" }],
    });
    expect([...first.problems, ...second.problems]).toEqual([]);
  });
});
