import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { addCommit } from "./commit.ts";
import { describeInBrowser, signedIn, visitor } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };
const service = await startTestService();

describeInBrowser("accessibility", () => {
  test("pages of an empty workspace are accessible and show how to add the first record", async () => {
    const beginner = await signedIn(service, null);
    const { id } = await service.workspace();
    for (const page of ["overview", "notifications"]) {
      await beginner.follow(`/${id}/${page}`);
      await beginner.loaded();
      await beginner.sees("curl ");
      expect(await beginner.accessibilityViolations()).toEqual([]);
      expect(beginner.problems).toEqual([]);
    }
  });

  test("drawers and dialogs are accessible", async () => {
    const operator = await signedIn(service, null);
    const workspace = await service.workspace();
    await addCommit(workspace);
    await operator.open(`/${workspace.id}/activities?organization=acme`);
    await operator.button("View record").click();
    await operator.page.getByRole("dialog").waitFor();
    expect(await operator.accessibilityViolations()).toEqual([]);
    await operator.follow(`/${workspace.id}/organizations?organization=acme`);
    await operator.button("Disable…").click();
    await operator.page.getByRole("dialog").waitFor();
    expect(await operator.accessibilityViolations()).toEqual([]);
  });

  test("the sign-in page and the page of an unknown workspace are accessible", async () => {
    const stranger = await visitor(service, { viewport: PHONE });
    await stranger.open("/");
    await stranger.sees("Sign in to Colloquy");
    expect(await stranger.accessibilityViolations()).toEqual([]);
    expect(await stranger.overflow()).toBe(0);
    const operator = await signedIn(service, null);
    await operator.open("/00000000-0000-4000-8000-000000000000/overview");
    await operator.sees("This workspace does not exist, or you do not have access to it.");
    expect(await operator.accessibilityViolations()).toEqual([]);
  });

  test("the keyboard alone skips the navigation, and opens and closes a dialog that traps the focus", async () => {
    const workspace = await service.workspace();
    await addCommit(workspace);
    const operator = await signedIn(service, null);
    const { keyboard } = operator.page;
    await operator.open(`/${workspace.id}/organizations?organization=acme`);
    await operator.loaded();
    await keyboard.press("Tab");
    expect(await operator.focused()).toBe("Skip to content");
    await keyboard.press("Enter");
    await operator.tabTo("Disable…");
    await keyboard.press("Enter");
    await operator.page.getByRole("dialog", { name: "Disable acme?" }).waitFor();
    const inDialog = new Set<string>();
    for (let count = 0; count < 6; count++) {
      await keyboard.press("Tab");
      inDialog.add(await operator.focused());
    }
    expect(inDialog).toEqual(new Set(["Close", "Cancel", "Disable"]));
    await keyboard.press("Escape");
    await operator.page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => operator.focused()).toBe("Disable…");
    await addCommit(workspace);
  });

  test("the menu of a phone opens, links to a page and closes", async () => {
    const workspace = await service.workspace();
    await addCommit(workspace);
    const operator = await signedIn(service, null, { viewport: PHONE, isMobile: true });
    await operator.open(`/${workspace.id}/overview`);
    await operator.loaded();
    const people = operator.page.getByRole("link", { name: "People", exact: true });
    expect(await people.isVisible()).toBe(false);
    await operator.button("Menu").tap();
    expect(await operator.overflow()).toBe(0);
    await people.tap();
    await operator.sees("Look up a user");
    await expect.poll(() => people.isVisible()).toBe(false);
  });

  test("a chosen color scheme overrides that of the system and is remembered", async () => {
    const operator = await signedIn(service, null, { colorScheme: "dark" });
    const scheme = () => operator.page.locator("html").getAttribute("data-mantine-color-scheme");
    await operator.open("/");
    await operator.loaded();
    expect(await scheme()).toBe("dark");
    await operator.page.getByText("Light", { exact: true }).click();
    await expect.poll(scheme).toBe("light");
    await operator.page.reload({ waitUntil: "commit" });
    await expect.poll(scheme).toBe("light");
    expect(operator.problems).toEqual([]);
  });
});
