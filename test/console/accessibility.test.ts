import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { longTest } from "../sizes.ts";
import { addCommit, addCommits } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, signedIn, visitor } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };
const service = await startTestService();

describeInBrowser("accessibility", () => {
  longTest("pages of an empty workspace are accessible and show how to add the first record", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    for (const page of ["overview", "notifications"]) {
      await owner.follow(`/${workspace.id}/${page}`);
      await owner.loaded();
      await owner.sees("curl ");
      expect(await owner.accessibilityViolations()).toEqual([]);
      expect(owner.problems).toEqual([]);
    }
  });

  test("drawers and dialogs are accessible", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.button(/^View /).click();
    await owner.page.getByRole("dialog").waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.follow(`/${workspace.id}/organizations?organization=acme`);
    await owner.button("Disable…").click();
    await owner.page.getByRole("dialog").waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
  });

  longTest("the sign-in page and the page of an unknown workspace are accessible", async () => {
    const stranger = await visitor(service, { viewport: PHONE });
    await stranger.open("/");
    await stranger.sees("Sign in to Colloquy");
    expect(await stranger.accessibilityViolations()).toEqual([]);
    expect(await stranger.overflow()).toBe(0);
    const { owner } = await enterNewWorkspace();
    await owner.follow("/00000000-0000-4000-8000-000000000000/overview");
    await owner.sees("This workspace does not exist, or you do not have access to it.");
    expect(await owner.accessibilityViolations()).toEqual([]);
  });

  test("the keyboard alone skips the navigation, and opens and closes a dialog that traps the focus", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    const { keyboard } = owner.page;
    await owner.follow(`/${workspace.id}/organizations?organization=acme`);
    await owner.loaded();
    await owner.focusStart();
    await keyboard.press("Tab");
    expect(await owner.focused()).toBe("Skip to content");
    await keyboard.press("Enter");
    await owner.tabTo("Disable…");
    await keyboard.press("Enter");
    await owner.page.getByRole("dialog", { name: "Disable acme?" }).waitFor();
    await owner.focusesIn("dialog");
    const inDialog = new Set<string>();
    for (let count = 0; count < 6; count++) {
      await keyboard.press("Tab");
      inDialog.add(await owner.focused());
    }
    expect(inDialog).toEqual(new Set(["Close", "Cancel", "Disable"]));
    await keyboard.press("Escape");
    await owner.page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => owner.focused()).toBe("Disable…");
    await addCommit(workspace);
  });

  longTest("kinds of a user's data and groups open by a click anywhere in their row", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    const organizationUserGroups = [{ groupId: "legal", groupName: "Legal" }];
    await workspace.data("/v2/organizations/usergroups/add", { organizationId: "acme", organizationUserGroups });
    await owner.follow(`/${workspace.id}/people?user=ada&organization=acme`);
    await owner.page.getByRole("rowheader", { name: "activities" }).click();
    await owner.page.getByRole("dialog", { name: "activities: 1 record on this page" }).waitFor();
    await owner.page.keyboard.press("Escape");
    await owner.page.getByRole("dialog").waitFor({ state: "detached" });
    await owner.follow(`/${workspace.id}/organizations?organization=acme&tab=groups`);
    await owner.page.getByText("Legal", { exact: true }).click();
    await owner.sees("Members of group Legal.");
    expect(owner.problems).toEqual([]);
  });

  longTest(
    "a row opens by a click anywhere and by Enter, is one tab stop, and arrow keys reach its links",
    async () => {
      const { workspace, owner } = await enterNewWorkspace();
      await addCommits(workspace, ["First.", "Second."]);
      const { keyboard } = owner.page;
      const drawer = owner.page.getByRole("dialog", { name: "Activity" });
      await owner.follow(`/${workspace.id}/activities?organization=acme`);
      await owner.page.getByText(/Second\./).click();
      await drawer.getByText("Second.").waitFor();
      await keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });

      await owner.focusStart();
      await owner.tabTo("View");
      await keyboard.press("Tab");
      expect(await owner.focused()).toBe("View");
      await keyboard.press("Enter");
      await drawer.getByText("First.").waitFor();
      await keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      await expect.poll(() => owner.focused()).toBe("View");
      await keyboard.press("ArrowUp");
      for (const name of ["Activities of Ada Lovelace", "commit.add"]) {
        await keyboard.press("ArrowRight");
        expect(await owner.focused()).toBe(name);
      }
      for (let count = 0; count < 2; count++) await keyboard.press("ArrowLeft");
      await keyboard.press("Enter");
      await drawer.getByText("Second.").waitFor();
      expect(owner.problems).toEqual([]);
    },
  );

  test("the palette finds organizations, users, documents and pages by keyboard, with one request", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    await workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "ada", name: "Ada Lovelace" }] });
    const { keyboard } = owner.page;
    const dialog = owner.page.getByRole("dialog", { name: "Search" });
    const find = async (text: string, option: string) => {
      await keyboard.press("Control+k");
      await dialog.getByRole("combobox").fill(text);
      await dialog.getByRole("option", { name: option, exact: true }).waitFor();
    };
    await owner.follow(`/${workspace.id}/settings`);
    await owner.loaded();
    await owner.focusStart();
    await owner.page.route("**/v2/workspace/search/get", (route) => route.fulfill({ status: 400, json: {} }));
    await keyboard.press("Control+k");
    await dialog.getByRole("combobox").fill("nobody");
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByRole("status").innerText()).toBe("");
    await owner.page.unrouteAll();
    await keyboard.press("Escape");
    owner.problems = [];
    owner.calls = [];
    await find("acm", "acme");
    await expect.poll(() => dialog.getByRole("status").innerText()).toBe("");
    expect(owner.calls).toEqual(["/v2/workspace/search/get"]);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => owner.focused()).toBe("acme");
    expect(owner.page.url()).toMatch(/organizations\?organization=acme$/);

    await find("engi", "engine engine in acme");
    await keyboard.press("Enter");
    await expect.poll(() => owner.page.url()).toMatch(/documents\?organization=acme&document=engine$/);
    await expect.poll(() => owner.focused()).toBe("engine");
    await find("lovel", "Ada Lovelace ada");
    await keyboard.press("Enter");
    await expect.poll(() => owner.page.url()).toMatch(/people\?user=ada$/);
    await expect.poll(() => owner.focused()).toBe("Ada Lovelace");
    await find("o", "Outbox");
    await keyboard.press("ArrowUp");
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowDown");
    const active = await dialog.getByRole("option", { selected: true }).innerText();
    await keyboard.press("Enter");
    await expect.poll(() => owner.page.locator("[aria-current=page]").innerText()).toBe(active);
    expect(owner.problems).toEqual([]);
  });

  longTest("the palette finds each tab of the settings", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/settings`);
    await owner.loaded();
    const tabs = owner.page.getByRole("tab");
    const names = await tabs.allInnerTexts();
    const dialog = owner.page.getByRole("dialog", { name: "Search" });
    for (const name of names) {
      await owner.page.keyboard.press("Control+k");
      await dialog.getByRole("combobox").fill(name);
      await dialog.getByRole("option", { name: `${name} Settings`, exact: true }).click();
      await expect.poll(() => tabs.and(owner.page.locator("[aria-selected=true]")).allInnerTexts()).toEqual([name]);
    }
    expect(names).toContain("Audit log");
    await owner.page.keyboard.press("Control+k");
    await dialog.getByRole("combobox").fill("settings");
    await owner.page.keyboard.press("Enter");
    await expect.poll(() => owner.page.url()).toMatch(/settings$/);
  });

  longTest("the palette opens above a drawer, and Escape closes the topmost first", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    const { keyboard } = owner.page;
    await owner.follow(`/${workspace.id}/activities`);
    await owner.button(/^View /).press("Enter");
    const drawer = owner.page.getByRole("dialog", { name: "Activity" });
    await expect.poll(() => owner.focused()).toBe("Close");
    await keyboard.press("Control+k");
    const palette = owner.page.getByRole("dialog", { name: "Search" });
    // A covered option cannot be hovered.
    await palette.getByRole("option").first().hover();
    await keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    await expect.poll(() => owner.focused()).toBe("Close");
    await keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => owner.focused()).toBe("View");
    expect(owner.problems).toEqual([]);
  });

  longTest("a phone's menu links to a page and closes, and overrides the system's color scheme for good", async () => {
    const email = "phone@example.com";
    const workspace = await ownedWorkspace(service, email);
    const phone = await signedIn(service, email, { viewport: PHONE, isMobile: true, colorScheme: "dark" });
    const scheme = () => phone.page.locator("html").getAttribute("data-mantine-color-scheme");
    await phone.open(`/${workspace.id}/overview`);
    await phone.loaded();
    expect(await scheme()).toBe("dark");
    const people = phone.page.getByRole("link", { name: "People", exact: true });
    expect(await people.isVisible()).toBe(false);
    await phone.button("Menu").tap();
    await phone.page.keyboard.press("Escape");
    await expect.poll(() => people.isVisible()).toBe(false);
    expect(await phone.focused()).toBe("Menu");
    await phone.button("Menu").tap();
    expect(await phone.overflow()).toBe(0);
    await phone.page.getByText("Light", { exact: true }).tap();
    await expect.poll(scheme).toBe("light");
    await people.tap();
    await phone.sees("The users of your customers");
    await expect.poll(() => people.isVisible()).toBe(false);
    await phone.page.reload({ waitUntil: "commit" });
    await expect.poll(scheme).toBe("light");
    expect(phone.problems).toEqual([]);
  });
});
