import { expect, test } from "vitest";
import { longTest } from "../sizes.ts";
import { addCommit, addCommits } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

describeInBrowser("tables that an owner changes in place", () => {
  test("organizations are created, renamed, sorted, disabled and filtered in their table, by keyboard", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    const { page } = owner;
    await owner.follow(`/${workspace.id}/organizations`);
    await owner.sees("1 organization");
    await owner.button("Create organization").press("Enter");
    await owner.focusesIn("dialog");
    await page.getByLabel("Organization ID").fill("acme");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Zeta");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("exists already").waitFor();
    await page.getByLabel("Organization ID").fill("zeta");
    await page.keyboard.press("Enter");
    await owner.sees("2 organizations");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const names = () => page.locator("tbody th a").allInnerTexts();
    expect(await names()).toEqual(["acme", "Zeta"]);
    await owner.button("Last activity").press("Enter");
    await expect
      .poll(() => page.getByRole("columnheader", { name: "Last activity" }).getAttribute("aria-sort"))
      .toBe("descending");
    await owner.button("Name").press("Enter");
    await owner.button("Name").press("Enter");
    await expect.poll(names).toEqual(["Zeta", "acme"]);

    await page.getByRole("link", { name: "acme" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await owner.chooseByKey("Rename…");
    await page.getByRole("dialog").getByLabel("Name").fill("Acme Ltd");
    await page.keyboard.press("Enter");
    await expect.poll(names).toEqual(["Zeta", "Acme Ltd"]);
    expect(await owner.focused()).toBe("Actions for Acme Ltd");
    await owner.button("Actions for Zeta").press("Enter");
    await owner.chooseByKey("Disable…");
    await owner.confirm("Disable");
    await page.getByLabel("State").selectOption("disabled");
    await owner.sees("1 organization");
    expect(await names()).toEqual(["Zeta"]);
    await page.setViewportSize({ width: 800, height: 844 });
    expect(await owner.overflow()).toBe(0);
    expect(await workspace.data("/v2/organizations/get", {})).toMatchObject([
      { id: "acme", organizationName: "Acme Ltd", disabled: false },
      { id: "zeta", organizationName: "Zeta", disabled: true },
    ]);
    expect(owner.problems).toEqual([]);
  });

  longTest("users are added, edited, found and removed in their table", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "ada", name: "Ada Lovelace" }] });
    const { page } = owner;
    await owner.follow(`/${workspace.id}/people?organization=acme`);
    await owner.sees("1 user");
    await owner.button("Create user").press("Enter");
    await owner.focusesIn("dialog");
    const id = page.getByRole("dialog").getByLabel("User ID");
    await id.fill("ada");
    await owner.confirm("Create");
    await page.getByText("This ID exists already.").waitFor();
    await page.getByRole("dialog").locator("input[placeholder=ada]:focus").waitFor();
    await id.fill("grace");
    await page.getByRole("dialog").getByLabel("Name").fill("Grace");
    expect(await owner.accessibilityViolations()).toEqual([]);
    await page.keyboard.press("Enter");
    await owner.sees("2 users");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await owner.focused()).toBe("Create user");
    await owner.button("Actions for Grace").click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    const email = page.getByRole("dialog").getByLabel("Email address");
    await email.fill("Grace");
    await owner.confirm("Save");
    await email.and(page.locator(":invalid")).waitFor();
    await email.fill("Grace@example.com");
    await owner.confirm("Save");
    await owner.sees("Grace@example.com");
    await page.getByRole("combobox", { name: "Search" }).fill(" grace@");
    await owner.sees("1 user");
    expect(new URL(page.url()).searchParams.get("search")).toBe("grace@");
    expect(await page.getByRole("combobox", { name: "Search" }).inputValue()).toBe(" grace@");
    await page.keyboard.press("Enter");
    await owner.button("Actions for Grace").click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await owner.confirm("Remove");
    await owner.sees("No user matches this search.");
    expect(await owner.focused()).toBe("Users");
    const known = await workspace.data("/v2/users/get", { organizationId: "acme" });
    expect(known).toEqual([{ userId: "ada", name: "Ada Lovelace", initial: "A" }]);
    expect(owner.problems).toEqual([]);
  });

  longTest("users and documents of all organizations are listed, ordered, filtered and opened", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const address = "ada@example.com";
    const users = [{ userId: address, name: "Ada Lovelace", email: address }];
    for (const [organizationId, documentId] of [
      ["acme", "plan"],
      ["globex", "annex"],
    ] as const) {
      await workspace.data("/v2/users/add", { organizationId, users });
      await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
    }
    const { page } = owner;
    const organizations = () => page.locator('td[data-label="Organization"] a').allInnerTexts();
    await owner.follow(`/${workspace.id}/people`);
    await owner.sees("2 users in all organizations");
    await expect.poll(organizations).toEqual(["acme", "globex"]);
    await owner.button(/^Organization$/).click();
    await expect.poll(organizations).toEqual(["globex", "acme"]);
    // The address is also the ID.
    expect(await page.getByText(address).count()).toBe(2);
    await owner.button("Actions for Ada Lovelace").first().click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Ada of Globex");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Ada of Globex" }).click();
    await owner.sees("Data in globex");
    await page.goBack();
    await page.getByRole("link", { name: "acme", exact: true }).click();
    await owner.button("Create user").waitFor();
    await page.getByRole("combobox", { name: "Organization" }).fill("");
    await page.getByRole("option", { name: "All organizations" }).click();
    await owner.sees("2 users in all organizations");

    await owner.follow(`/${workspace.id}/documents?organization=globex`);
    await owner.button("Create document").waitFor();
    await page.getByRole("combobox", { name: "Organization" }).fill("");
    await page.keyboard.press("Enter");
    await owner.sees("2 documents in all organizations");
    await owner.follow(`/${workspace.id}/documents?organization=globex`);
    await owner.button("Clear Organization").click();
    await owner.sees("2 documents in all organizations");
    const names = () => page.locator("tbody th a").allInnerTexts();
    expect(await names()).toEqual(["plan", "annex"]);
    await owner.button(/^Document$/).click();
    await expect.poll(names).toEqual(["annex", "plan"]);
    await owner.button("Actions for annex").click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Annex of Globex");
    await page.keyboard.press("Enter");
    await expect.poll(names).toEqual(["Annex of Globex", "plan"]);
    await page.getByLabel("Search").fill("ann");
    await page.keyboard.press("Enter");
    await owner.sees("1 document in all organizations");
    await page.getByRole("link", { name: "Annex of Globex" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("Annex of Globex");
    expect(page.url()).toContain("organization=globex&document=annex");
    expect(owner.problems).toEqual([]);
  });

  longTest(
    "the search of people opens a user of any organization, or the data under an ID that no user has",
    async () => {
      const { workspace, owner } = await enterNewWorkspace();
      await addCommit(workspace);
      await workspace.data("/v2/users/add", {
        organizationId: "zeta",
        users: [{ userId: "grace", name: "Grace Hopper" }],
      });
      const { page } = owner;
      const search = page.getByRole("combobox", { name: "Search" });
      const title = page.getByRole("heading", { level: 1 });
      await owner.follow(`/${workspace.id}/people?organization=acme`);
      await owner.loaded();
      await search.fill("grace h");
      await page.getByRole("option", { name: "Grace Hopper (grace)" }).waitFor();
      await search.press("ArrowDown");
      await search.press("Enter");
      await expect.poll(() => title.innerText()).toBe("Grace Hopper");
      await owner.sees("Data in zeta");
      expect(new URL(page.url()).search).toBe("?user=grace");
      await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "People" }).click();
      await owner.loaded();
      await search.fill("ada");
      await page.getByRole("option", { name: 'Check for data under the ID "ada"' }).click();
      await expect.poll(() => title.innerText()).toBe("ada");
      await owner.sees("Data in acme");
      await owner.sees("Pick another organization to check.");
      expect(owner.problems).toEqual([]);
    },
  );

  longTest("documents are created in a folder, renamed, disabled and sorted in their table", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const scope = { organizationId: "acme" };
    await workspace.data("/v2/organizations/folders/add", { ...scope, folders: [{ folderId: "sales" }] });
    const { page } = owner;
    await owner.follow(`/${workspace.id}/documents?organization=acme&folder=sales`);
    await owner.sees("No documents here.");
    for (const [id, name] of [
      ["a", "Zeta"],
      ["b", "Annex"],
    ] as const) {
      await owner.button("Create document").click();
      await page.getByLabel("Document ID").fill(id);
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await owner.confirm("Create");
      await page.getByRole("link", { name }).waitFor();
    }
    await owner.button("Create document").click();
    await page.getByLabel("Document ID").fill("a");
    await owner.confirm("Create");
    await page.getByText("This ID exists already.").waitFor();
    await owner.confirm("Cancel");
    const names = () => page.locator("tbody th a").allInnerTexts();
    expect(await names()).toEqual(["Annex", "Zeta"]);
    await owner.button(/^Name$/).click();
    await expect.poll(names).toEqual(["Zeta", "Annex"]);
    await owner.button("Actions for Annex").click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Appendix");
    await owner.confirm("Rename");
    await expect.poll(names).toEqual(["Zeta", "Appendix"]);
    await owner.button("Actions for Zeta").click();
    await page.getByRole("menuitem", { name: "Disable…" }).click();
    await owner.confirm("Disable");
    await page.getByLabel("State").selectOption("disabled");
    await expect.poll(names).toEqual(["Zeta"]);
    const known = await workspace.data("/v2/organizations/documents/get", scope);
    expect(known).toMatchObject([
      { id: "a", documentName: "Zeta", folderId: "sales", disabled: true },
      { id: "b", documentName: "Appendix", folderId: "sales", disabled: false },
    ]);
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser("a long list", () => {
  test("can be paged forward to its end and back", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const subjects = Array.from({ length: 101 }, (_, index) => `Commit ${index + 1}.`);
    await addCommits(workspace, subjects);
    const turn = (name: string) => owner.page.getByRole("link", { name }).click();
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.sees("Commit 101.");
    await turn("Next page");
    await owner.sees("Commit 51.");
    await turn("Next page");
    await owner.sees("Commit 1.");
    await owner.page.getByRole("link", { name: "Next page" }).waitFor({ state: "detached" });
    await turn("Previous page");
    await owner.sees("Commit 51.");
    await turn("Previous page");
    await owner.sees("Commit 101.");
    await owner.page.getByRole("link", { name: "Previous page" }).waitFor({ state: "detached" });
  });
});
