import { expect, test } from "vitest";
import { SCOPE } from "../factories.ts";
import type { TestWorkspace } from "../harness.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, type Visitor } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };

async function openForm(): Promise<{ workspace: TestWorkspace; owner: Visitor }> {
  const { workspace, owner } = await enterNewWorkspace();
  await workspace.data("/v2/users/add", {
    organizationId: SCOPE.organizationId,
    users: [{ userId: "grace", accessRole: "editor" }],
  });
  await owner.follow(`/${workspace.id}/settings?tab=notifications`);
  await owner.loaded();
  return { workspace, owner };
}

function toggle({ page }: Visitor, name: string) {
  return page.getByRole("switch", { name });
}

function toWindow({ page }: Visitor, name: string) {
  return page.getByRole("group", { name });
}

async function save(owner: Visitor): Promise<void> {
  await owner.button("Save").click();
  await owner.sees("Saved.");
}

async function storedConfig(workspace: TestWorkspace) {
  return (await workspace.data("/v2/workspace/notificationconfig/get", {})).notificationServiceConfig;
}

/** Adds an annotation that tags Grace. Returns how many notifications she has. */
async function notifyGrace(workspace: TestWorkspace): Promise<number> {
  const from = { userId: "ada" };
  const commentData = [{ from, commentText: "Thirty days?", taggedUserContacts: [TAG], triggerNotification: true }];
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [{ commentData }] });
  const inbox = await workspace.data("/v2/notifications/get", {
    organizationId: SCOPE.organizationId,
    userId: "grace",
  });
  return inbox.length;
}

const TAG = { text: "@Grace", userId: "grace", contact: { userId: "grace", name: "Grace Hopper" } };

describeInBrowser("the form for notification settings", () => {
  test("an event that is turned off notifies nobody, and the others do", async () => {
    const { workspace, owner } = await openForm();
    expect(await owner.button("Save").isDisabled()).toBe(true);
    await owner.page.getByLabel("A user begins a thread").uncheck();
    await save(owner);
    await expect.poll(() => owner.button("Save").isDisabled()).toBe(true);
    expect(await notifyGrace(workspace)).toBe(0);
    await owner.page.getByLabel("A user begins a thread").check();
    await expect.poll(() => owner.text()).not.toContain("Saved.");
    await save(owner);
    expect(await notifyGrace(workspace)).toBe(1);
    expect(owner.problems).toEqual([]);
  });

  longTest("while notifications are turned off, no event notifies", async () => {
    const { workspace, owner } = await openForm();
    await toggle(owner, "Notify users of the events below").uncheck();
    await save(owner);
    expect(await notifyGrace(workspace)).toBe(0);
  });

  longTest("delays and digests are stored in seconds, and shown in the unit that fits", async () => {
    const { workspace, owner } = await openForm();
    await toggle(owner, "Delay").check();
    await owner.page.getByLabel("Delay by", { exact: true }).fill("90");
    const byDocument = toWindow(owner, "Digests by document");
    await byDocument.getByRole("switch").check();
    await byDocument.getByLabel("Collect for", { exact: true }).fill("15");
    await byDocument.getByLabel("Unit of Collect for").selectOption("minutes");
    await byDocument.getByLabel("Maximum number of events").fill("20");
    await save(owner);
    expect(await storedConfig(workspace)).toMatchObject({
      delayConfig: { isEnabled: true, delaySeconds: 90 },
      batchConfig: {
        document: { isEnabled: true, batchWindowSeconds: 900, maxActivities: 20 },
        user: { isEnabled: false },
      },
    });
    expect(await notifyGrace(workspace)).toBe(0);

    await owner.followAnew(workspace.id, "/settings?tab=notifications");
    await expect.poll(() => byDocument.getByLabel("Collect for", { exact: true }).inputValue()).toBe("15");
    expect(await byDocument.getByLabel("Unit of Collect for").inputValue()).toBe("minutes");
    await byDocument.getByRole("switch").uncheck();
    await save(owner);
    expect(await storedConfig(workspace)).toMatchObject({
      batchConfig: { document: { isEnabled: false, batchWindowSeconds: 900, maxActivities: 20 } },
    });
  });

  longTest("the error of the service is shown beside each field, and the first one takes the focus", async () => {
    const { workspace, owner } = await openForm();
    await toggle(owner, "Delay").check();
    const delay = owner.page.getByLabel("Delay by", { exact: true });
    await delay.fill("9");
    const byUser = toWindow(owner, "Digests by user");
    await byUser.getByRole("switch").check();
    await byUser.getByLabel("Collect for", { exact: true }).fill("8");
    await byUser.getByLabel("Unit of Collect for").selectOption("days");
    await byUser.getByLabel("Maximum number of events").fill("many");
    await owner.button("Save").click();
    await owner.sees("Must be at least 10.");
    await byUser.getByText("Must be at most 604800.").waitFor();
    await byUser.getByText("Must be an integer.").waitFor();
    await expect.poll(() => delay.evaluate((field) => Object(field).matches(":focus"))).toBe(true);
    expect(await owner.page.getByRole("alert").count()).toBe(0);
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect(await storedConfig(workspace)).toMatchObject({ delayConfig: { isEnabled: false } });

    await delay.fill("10");
    await byUser.getByLabel("Collect for", { exact: true }).fill("7");
    await byUser.getByLabel("Maximum number of events").fill("50");
    await save(owner);
    expect(await storedConfig(workspace)).toMatchObject({
      delayConfig: { isEnabled: true, delaySeconds: 10 },
      batchConfig: { user: { isEnabled: true, batchWindowSeconds: 604_800, maxActivities: 50 } },
    });
  });

  longTest("the keyboard alone turns a delay on and saves it", async () => {
    const { workspace, owner } = await openForm();
    const { keyboard } = owner.page;
    await toggle(owner, "Delay").focus();
    await keyboard.press("Space");
    await keyboard.press("Tab");
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("2");
    await keyboard.press("Tab");
    await keyboard.type("min");
    await owner.tabTo("Save");
    await keyboard.press("Enter");
    await owner.sees("Saved.");
    await expect.poll(() => owner.focused()).toBe("Save");
    expect(await storedConfig(workspace)).toMatchObject({ delayConfig: { isEnabled: true, delaySeconds: 120 } });
  });

  longTest("the form with all of its fields is accessible and fits on a phone", async () => {
    const { owner } = await openForm();
    for (const one of await owner.page.getByRole("switch").all()) await one.check();
    expect(await owner.page.getByLabel("Collect for", { exact: true }).count()).toBe(2);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.setViewportSize(PHONE);
    expect(await owner.overflow()).toBe(0);
    expect(await owner.accessibilityViolations()).toEqual([]);
  });
});
