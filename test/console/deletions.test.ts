import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { TestWorkspace } from "../harness.ts";
import { deleteUserDataAndWait } from "../user-data.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY } from "./visitor.ts";

const ACTIVITY = {
  ...{ featureType: "custom" as const, actionType: "commit.add", targetEntityId: "main" },
  actionUser: { userId: "ada", name: "Ada Lovelace" },
};

/** Stores data of Ada in the organization, and data of another user that mentions her. */
async function storeAda(workspace: TestWorkspace, organizationId: string): Promise<void> {
  const users = [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com" }];
  await workspace.data("/v2/users/add", { organizationId, users });
  const scope = { organizationId, documentId: "engine" };
  await workspace.data("/v2/activities/add", { ...scope, activities: [ACTIVITY] });
  await workspace.data("/v2/notifications/add", {
    ...scope,
    actionUser: { userId: "grace", name: "Grace Hopper" },
    notifyUsers: [{ userId: "ada", name: "Ada Lovelace" }],
    displayHeadlineMessageTemplate: "{actionUser} asks you to sign",
    displayBodyMessage: "By Friday.",
    displayHeadlineMessageTemplateData: { actionUser: { userId: "grace", name: "Grace Hopper" } },
  });
}

describeInBrowser("deletions of users' data", () => {
  test("a deletion of a user shows its progress and the receipt of the API", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    for (const organizationId of ["acme", "beta", "gamma"]) await storeAda(workspace, organizationId);
    await owner.follow(`/${workspace.id}/people?user=ada`);
    await owner.sees("Data in acme");
    await owner.button("Delete…").click();
    const dialog = owner.page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Delete permanently" }).isDisabled()).toBe(true);
    const running = { isDeleteCompleted: false, tasksLeft: 9, lastTaskCompletedTime: null };
    const half = { stage: "purging", organizationsDone: 1, organizationsCount: 2 };
    await owner.page.route("**/v2/users/data/delete/status", (route) =>
      route.fulfill({ json: { result: { status: "success", message: "", data: { ...running, progress: half } } } }),
    );
    await dialog.getByLabel("Type ada to confirm").fill("ada");
    await owner.confirm("Delete permanently");

    const progress = owner.page.getByRole("progressbar", { name: "Deletion progress" });
    await expect.poll(() => progress.getAttribute("aria-valuenow"), EVENTUALLY).toBe("75");
    await owner.sees("Deleting: 1 of 2 organizations searched.");
    await owner.page.unroute("**/v2/users/data/delete/status");
    await owner.sees("✓ Completed");
    expect(await progress.count()).toBe(0);
    const jobId = new URL(owner.page.url()).searchParams.get("job") ?? "";
    const status = await workspace.data("/v2/users/data/delete/status", { jobId });
    expect(status).toMatchObject({ isDeleteCompleted: true, tasksLeft: 0 });
    await owner.sees("No user record, and no data under this ID. All of it was deleted.");
    expect(await owner.text()).not.toMatch(/Data in|Export|Delete…/);

    await owner.page.getByRole("link", { name: "Show receipt" }).click();
    await owner.sees(/Users\n+ada\n/);
    await owner.sees("All organizations of the workspace");
    const rows = await owner.page.locator("tbody tr").allInnerTexts();
    expect(rows.map((row) => row.split("\t"))).toEqual(
      expect.arrayContaining(
        (status.receipt ?? []).map(({ organizationId, kind, deleted, stripped }) => [
          `${organizationId}: ${kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
          String(deleted),
          String(stripped),
        ]),
      ),
    );
    expect(rows).toContain("recordings\t0\t0");
    expect(await owner.accessibilityViolations()).toEqual([]);
    const downloaded = owner.page.waitForEvent("download");
    await owner.button("Download signed receipt").click();
    const file = JSON.parse(await readFile(await (await downloaded).path(), "utf8"));
    expect(file).toEqual(await workspace.data("/v2/users/data/deletions/receipt/get", { jobId }));
    await owner.page.emulateMedia({ media: "print" });
    expect(await owner.page.getByRole("navigation", { name: "Pages" }).isVisible()).toBe(false);
    expect(await owner.button("Print").isVisible()).toBe(false);
    expect(await owner.page.getByText(file.signature).isVisible()).toBe(true);
    await owner.page.emulateMedia({ media: null });
    expect(owner.problems).toEqual([]);
  });

  test("the page of a deleted user says so, with the receipt, and offers no deletion without new data", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await storeAda(workspace, "acme");
    await deleteUserDataAndWait(workspace, ["ada"]);
    await owner.follow(`/${workspace.id}/people?user=ada`);
    await owner.sees("No user record, and no data under this ID. All of it was deleted.");
    const deleted = owner.page.getByRole("region", { name: "Deleted data" });
    expect(await deleted.innerText()).toMatch(/ada\n+deleted just now\n*in all organizations\n*by token first/);
    expect(await owner.text()).not.toMatch(/Data in|Export|Delete…/);
    await deleted.getByRole("link", { name: "ada" }).click();
    await owner.sees("Receipt of a deletion");
    await storeAda(workspace, "acme");
    await owner.followAnew(workspace.id, "/people?user=ada");
    await owner.sees("Data in acme");
    await owner.button("Delete…").waitFor();
    await deleted.waitFor();
    expect(owner.problems).toEqual([]);
  });
});
