import { expect, test } from "vitest";
import { longTest } from "../sizes.ts";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

describeInBrowser("a row of the activity feed", () => {
  longTest(
    "names a user whose name is only a part of the message, and its avatar leads to their activities",
    async () => {
      const { workspace, owner } = await enterNewWorkspace();
      const al = { userId: "al", name: "Al" };
      await addCommit(workspace, "", { actionUser: al, displayMessageTemplate: "Alan's clause was edited" });
      await addCommit(workspace, "Rename the clause");
      await owner.follow(`/${workspace.id}/activities?organization=acme`);
      await owner.page.getByRole("link", { name: "Al", exact: true }).waitFor();
      await owner.page.getByRole("link", { name: "Activities of Ada Lovelace" }).click();
      await expect.poll(() => owner.text()).not.toContain("Alan");
      await owner.sees("Ada Lovelace: Rename the clause");
      expect(await owner.accessibilityViolations()).toEqual([]);
      expect(owner.problems).toEqual([]);
    },
  );
});

describeInBrowser("the drawer of a record", () => {
  test("an activity shows who did what where and what it changed, with its JSON behind a button", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace, "Rename the clause", {
      changes: { title: { from: "Payment", to: "Terms of payment" } },
    });
    await owner.follow(`/${workspace.id}/activities`);
    await owner.sees("Ada Lovelace: Rename the clause");
    expect((await owner.text()).match(/Ada/g), "the user is named once").toHaveLength(1);
    await owner.page.locator("[data-opens]").first().click();
    const drawer = owner.page.getByRole("dialog", { name: "Activity" });
    await drawer.getByText("Ada Lovelace: Rename the clause").waitFor();
    const cells = await drawer.getByRole("table", { name: "Changes" }).locator("tr > *").allInnerTexts();
    expect(cells).toEqual(["Field", "From", "To", "title", "Payment", "Terms of payment"]);
    const links = await drawer.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links.map((href) => href?.split(workspace.id)[1])).toEqual([
      ...["/people?user=ada&organization=acme", "/organizations?organization=acme"],
      "/documents?organization=acme&document=engine",
    ]);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await drawer.getByRole("button", { name: "View JSON" }).click();
    await drawer.getByText('"actionType": "commit.add"').waitFor();
    expect(owner.problems).toEqual([]);
  });

  longTest("a recording shows who made it, its duration and its files, which the keyboard reaches", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const recording = {
      from: { userId: "ada", name: "Ada Lovelace" },
      displayName: "A walk through the lease",
      recordedTime: { display: "00:01:30" },
      attachments: [{ url: "https://files.example.com/walk.mp4", mimeType: "video/mp4" }],
    };
    const scope = { organizationId: "acme", documentId: "lease" };
    await workspace.data("/v2/recordings/add", { ...scope, recordings: [recording] });
    await owner.follow(`/${workspace.id}/recordings?organization=acme`);
    await owner.page.locator("[data-opens]").first().click();
    const drawer = owner.page.getByRole("dialog", { name: "Recording" });
    await drawer.getByText("A walk through the lease").waitFor();
    await drawer.getByText("00:01:30").waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    for (const name of ["Ada Lovelace", "acme", "lease", "walk.mp4", "Play walk.mp4", "View JSON"]) {
      await owner.tabTo(name);
    }
    expect(owner.problems).toEqual([]);
  });

  longTest("an entry of the audit log shows all its fields, also by a link once it is on a later page", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await workspace.data("/v2/workspace/domains/add", { domains: ["app.example.com"] });
    await owner.follow(`/${workspace.id}/settings?tab=audit`);
    await owner.button(/^View Domains allowed/).press("Enter");
    const drawer = owner.page.getByRole("dialog", { name: "Audit log entry" });
    await drawer.getByText("Domains allowed (domain.add)").waitFor();
    const [entry] = await workspace.data("/v2/workspace/audit/get", { actions: ["domain.add"] });
    const values = await drawer.locator("dd").allInnerTexts();
    expect(values).toEqual(expect.arrayContaining([entry?.id, entry?.actor.id, entry?.clientAddress]));
    expect(values).toContain("app.example.com");
    expect(await owner.accessibilityViolations()).toEqual([]);
    const { search } = new URL(owner.page.url());
    await owner.follow(`/${workspace.id}/settings${search}&action=session.end`);
    await owner.sees("No entry matches these filters.");
    await drawer.getByText("Domains allowed (domain.add)").waitFor();
    expect(owner.problems).toEqual([]);
  });
});
