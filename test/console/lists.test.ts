import { expect, test } from "vitest";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY } from "./visitor.ts";

describeInBrowser("lists", () => {
  test("a table says which of how many rows it shows, and dates stand below their titles", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const organizations = Array.from({ length: 60 }, (_, index) => ({ organizationId: `customer-${index + 10}` }));
    await workspace.data("/v2/organizations/add", { organizations });
    await owner.follow(`/${workspace.id}/organizations`);
    await owner.sees("1–50 of 60");
    const alignment = 'getComputedStyle(document.querySelector("td[data-label=Created]")).textAlign';
    expect(await owner.page.evaluate<string>(alignment)).toBe("start");
    const state = owner.page.locator("td.state span").first();
    expect([await state.innerText(), (await state.boundingBox())?.width]).toEqual(["Enabled", 1]);
    await owner.page.getByRole("link", { name: "Next page" }).click();
    await owner.sees("51–60 of 60");
    await owner.page.getByRole("link", { name: "Previous page" }).click();
    await owner.sees("1–50 of 60");
    expect(owner.problems).toEqual([]);
  });

  test("the number of rows of a page is chosen, and is in the URL", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const organizations = Array.from({ length: 60 }, (_, index) => ({ organizationId: `customer-${index + 10}` }));
    await workspace.data("/v2/organizations/add", { organizations });
    const { page } = owner;
    const size = page.getByRole("combobox", { name: "Rows per page" });
    await owner.follow(`/${workspace.id}/organizations`);
    await owner.sees("1–50 of 60");
    await page.getByRole("link", { name: "Next page" }).click();
    await owner.sees("51–60 of 60");
    await size.selectOption("25 rows");
    await owner.sees("1–25 of 60");
    expect(new URL(page.url()).search).toBe("?rows=25");
    await page.getByRole("link", { name: "Next page" }).click();
    await owner.sees("26–50 of 60");
    await size.selectOption("100 rows");
    await owner.sees("1–60 of 60");
    expect(await page.locator("tbody tr").count()).toBe(60);
    expect(await size.inputValue()).toBe("100");
    await owner.loaded();
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect(owner.problems).toEqual([]);
  });

  test("filters are saved under a name, by keyboard, which stays in the browser", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace, "Weave a pattern");
    const { page } = owner;
    const item = (name: string) => page.getByRole("menuitem", { name });
    await owner.follow(`/${workspace.id}/activities`);
    await owner.sees("Weave a pattern");
    expect(await owner.button("Views").count()).toBe(0);
    const [saved, other] = ["?action=commit.add&organization=acme", "?organization=acme"];
    await owner.follow(`/${workspace.id}/activities?organization=acme&action=commit.add&page=unknown&record=1`);
    await owner.focusesIn("dialog");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await owner.button("Views").press("Enter");
    await owner.chooseByKey("Save this view…");
    await owner.focusesIn("dialog");
    await page.keyboard.type("Commits of Acme");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Save view" }).waitFor({ state: "detached" });
    await owner.button("Commits of Acme").waitFor();
    await owner.follow(`/${workspace.id}/activities${other}`);
    await owner.button("Views").press("Enter");
    await owner.chooseByKey("Commits of Acme");
    await expect.poll(() => new URL(page.url()).search).toBe(saved);
    await owner.loaded();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.button("Commits of Acme").press("Enter");
    await owner.chooseByKey("Delete this view");
    await owner.button("Views").press("Enter");
    await item("Save this view…").waitFor();
    expect(await item("Commits of Acme").count()).toBe(0);
    await page.keyboard.press("Escape");
    await owner.follow(`/${workspace.id}/requests`);
    await owner.loaded();
    expect(await owner.button("Views").count()).toBe(0);
  });

  test("an organization that does not exist has no tabs, and a missing record is not called deleted", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    await owner.follow(`/${workspace.id}/organizations?organization=nobody`);
    await owner.sees("does not exist.");
    expect(await owner.page.getByRole("tab").count()).toBe(0);
    await owner.follow(`/${workspace.id}/activities?organization=acme&record=nothing`);
    await owner.page.getByText("This record does not exist, or was deleted.").waitFor();
  });

  test("an error below a field of an endpoint goes when the field is changed", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
    await owner.follow(`/${workspace.id}/webhooks`);
    await owner.button("Create endpoint").click();
    const url = owner.page.getByLabel("URL");
    await url.fill("http://acme.example");
    await url.press("Enter");
    await expect.poll(() => url.getAttribute("aria-invalid"), EVENTUALLY).toBe("true");
    await url.fill("https://acme.example");
    expect(await url.getAttribute("aria-invalid")).not.toBe("true");
  });
});
