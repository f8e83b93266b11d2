import { expect, test } from "vitest";
import { longTest } from "../sizes.ts";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY } from "./visitor.ts";

describeInBrowser("the organization select", () => {
  test("pages of one organization let the visitor choose it, those with the newest activity first", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await workspace.data("/v2/organizations/add", {
      organizations: [{ organizationId: "aaa" }, { organizationId: "globex", organizationName: "Globex Ltd" }],
    });
    await addCommit(workspace);
    await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["aaa"], disabled: true });
    const field = owner.page.getByRole("combobox", { name: "Organization" });
    const choices = owner.page.locator("main [data-opens]");
    for (const page of ["presence", "recordings", "notifications"]) {
      await owner.followAnew(workspace.id, `/${page}`);
      await owner.sees("This page shows one organization. Choose it:");
      expect(await choices.allInnerTexts()).toEqual(["acme", "Globex Ltd"]);
      expect(await field.inputValue()).toBe("");
    }
    expect(await owner.accessibilityViolations()).toEqual([]);
    await choices.last().click();
    await owner.sees("No notifications in this organization yet.");
    await expect.poll(() => field.inputValue()).toBe("Globex Ltd (globex)");
    await owner.follow(`/${workspace.id}/recordings`);
    await owner.sees("Choose it:");
    expect(owner.problems).toEqual([]);
  });

  longTest("a text that the service would reject has an error at its field and is not sent", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    const tooLong = "x".repeat(257);
    const { page } = owner;
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.loaded();
    for (const [field, text, issue] of [
      [page.getByRole("searchbox", { name: "Words" }), "a\tb", "Must not contain control characters, such as tabs."],
      [page.getByRole("combobox", { name: "User" }), tooLong, "Must have at most 256 characters."],
      [page.getByRole("combobox", { name: "Organization" }), tooLong, "Must have at most 256 characters."],
    ] as const) {
      await field.fill(text);
      await field.press("Enter");
      await owner.sees(issue);
      await field.fill("");
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill(tooLong);
    await page.getByRole("dialog").getByText("Must have at most 256 characters.").waitFor();
    await page.keyboard.press("Escape");
    await owner.follow(`/${workspace.id}/people?organization=acme`);
    await page.getByRole("combobox", { name: "Search" }).fill(tooLong);
    await owner.sees("Must have at most 256 characters.");
    await owner.button("Create user").click();
    await page.getByLabel("User ID").fill("a\tb");
    await page.getByRole("dialog").getByText("Must not contain control characters").waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "Create" }).isDisabled()).toBe(true);
    expect(owner.problems).toEqual([]);
  });

  longTest(
    "Enter selects the first match, and leaving it with an incomplete ID restores the previous one",
    async () => {
      const { workspace, owner } = await enterNewWorkspace();
      const organizations = ["acme", "acme-2", "zeta"].map((organizationId) => ({ organizationId }));
      await workspace.data("/v2/organizations/add", { organizations });
      const box = owner.page.getByRole("combobox", { name: "Organization" });
      const chosen = () => new URL(owner.page.url()).searchParams.get("organization");
      await owner.follow(`/${workspace.id}/recordings?organization=acme-2`);
      await owner.loaded();
      await box.fill("ze");
      await box.press("Enter");
      await expect.poll(chosen, EVENTUALLY).toBe("zeta");
      await box.fill("ac");
      await box.press("Tab");
      await expect.poll(() => box.inputValue(), EVENTUALLY).toBe("zeta");
      expect(chosen()).toBe("zeta");
      await box.fill("acme");
      await box.press("Tab");
      await expect.poll(chosen, EVENTUALLY).toBe("acme");
      await box.fill("nope");
      await box.press("Enter");
      await owner.sees("Organization nope does not exist.");
    },
  );

  longTest("the field shows the chosen organization by name and ID, also one that is not preloaded", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const organizations = [
      { organizationId: "acme", organizationName: "Acme Ltd" },
      { organizationId: "globex", organizationName: "Globex" },
    ];
    await workspace.data("/v2/organizations/add", { organizations });
    const box = owner.page.getByRole("combobox", { name: "Organization" });
    const shown = () => box.inputValue();
    for (const page of ["notifications", "recordings", "presence"]) {
      await owner.follow(`/${workspace.id}/${page}?organization=acme`);
      await expect.poll(shown, EVENTUALLY).toBe("Acme Ltd (acme)");
    }
    await box.click();
    await owner.page.keyboard.type("glo");
    await owner.page.keyboard.press("Tab");
    await expect.poll(shown, EVENTUALLY).toBe("Acme Ltd (acme)");
    await box.click();
    await owner.page.getByRole("option", { name: "Acme Ltd (acme)" }).click();
    expect(await shown()).toBe("Acme Ltd (acme)");
    await box.fill("glo");
    await box.press("Enter");
    await expect.poll(shown, EVENTUALLY).toBe("Globex (globex)");
    await owner.page.route("**/v2/workspace/organizations/get", async (route) => {
      const response = await route.fetch();
      const { result } = await response.json();
      const { organizations: found } = result.data;
      const data = { ...result.data, organizations: found.filter(({ id }: { id: string }) => id !== "acme") };
      await route.fulfill({ response, json: { result: { ...result, data } } });
    });
    await owner.followAnew(workspace.id, "/recordings?organization=acme");
    await expect.poll(shown, EVENTUALLY).toBe("Acme Ltd (acme)");
    expect(owner.problems).toEqual([]);
  });
});
