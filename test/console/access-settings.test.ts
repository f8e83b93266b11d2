import { expect, test } from "vitest";
import { SCOPE } from "../factories.ts";
import { post, startTestService, type TestWorkspace } from "../harness.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, type Visitor } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };
const { address } = await startTestService();

async function openForm(): Promise<{ workspace: TestWorkspace; owner: Visitor }> {
  const { workspace, owner } = await enterNewWorkspace();
  await workspace.data("/v2/organizations/documents/add", {
    organizationId: SCOPE.organizationId,
    documents: [{ documentId: SCOPE.documentId }],
  });
  await owner.follow(`/${workspace.id}/settings?tab=access`);
  await owner.loaded();
  return { workspace, owner };
}

/** Saves the form and confirms. */
async function save(owner: Visitor): Promise<void> {
  await owner.button("Save…").click();
  await dialog(owner).getByRole("button", { name: "Save" }).click();
  await owner.sees("Saved.");
}

function dialog({ page }: Visitor) {
  return page.getByRole("dialog", { name: "Change access?" });
}

/** Returns the HTTP status of a user who reads the document with a token for another organization. */
async function getStrangerStatus(workspace: TestWorkspace): Promise<number> {
  const { token } = await workspace.data("/v2/auth/generate_token", {
    userId: "stranger",
    userProperties: { name: "", email: "" },
    permissions: { resources: [{ type: "organization", id: "elsewhere" }] },
  });
  const headers = { authorization: `Bearer ${token}` };
  return (await post(`${address}/v2/commentannotations/get`, SCOPE, headers)).httpStatus;
}

describeInBrowser("the form for access settings", () => {
  test("a new default access type is explained, and applies to users once it is confirmed", async () => {
    const { workspace, owner } = await openForm();
    expect(await getStrangerStatus(workspace)).toBe(403);
    await owner.page.getByRole("radio", { name: "Public" }).check();
    await owner.button("Save…").click();
    await dialog(owner).getByText("Every user, of any organization, can read and write documents").waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect(await getStrangerStatus(workspace)).toBe(403);
    await dialog(owner).getByRole("button", { name: "Save" }).click();
    await owner.sees("Saved.");
    expect(await getStrangerStatus(workspace)).toBe(200);
    expect(owner.problems).toEqual([]);
  });

  longTest("every switch is stored, and only what was changed is sent", async () => {
    const { workspace, owner } = await openForm();
    // Somebody else changes a setting after the form was opened.
    await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
    for (const toggle of await owner.page.getByRole("switch").all()) await toggle.check();
    await save(owner);
    expect(await workspace.data("/v2/workspace/apikeyconfig/get", {})).toMatchObject({
      ...{ defaultDocumentAccessType: "restricted", isPrivateCommentsEnabled: true },
      ...{ requireJwtToken: true, requireAutoOrgUser: true, isContextEnabled: true, showUserEmails: true },
    });
    await expect.poll(() => owner.page.getByRole("radio", { name: "Restricted" }).isChecked()).toBe(true);
    expect(await owner.page.getByRole("switch", { checked: true }).count()).toBe(5);
  });

  test("an unchanged form cannot be saved", async () => {
    const { owner } = await openForm();
    owner.calls = [];
    expect(await owner.button("Save…").getAttribute("aria-disabled")).toBe("true");
    await owner.button("Save…").press("Enter");
    expect(await dialog(owner).count()).toBe(0);
    expect(owner.calls).toEqual([]);
  });

  longTest("a change that the service rejects stays in the form, with the reason in the dialog", async () => {
    const { workspace, owner } = await openForm();
    await owner.page.getByRole("switch", { name: "Private comments" }).check();
    await owner.page.route("**/v2/workspace/apikeyconfig/update", (route) => route.abort("connectionrefused"));
    await owner.button("Save…").click();
    await dialog(owner).getByRole("button", { name: "Save" }).click();
    await dialog(owner).getByText("The service does not respond.").waitFor();
    await owner.page.unroute("**/v2/workspace/apikeyconfig/update");
    await dialog(owner).getByRole("button", { name: "Save" }).click();
    await owner.sees("Saved.");
    expect(await workspace.data("/v2/workspace/apikeyconfig/get", {})).toMatchObject({
      isPrivateCommentsEnabled: true,
    });
  });

  longTest("the keyboard alone changes a setting, and the focus returns to the form", async () => {
    const { workspace, owner } = await openForm();
    const { keyboard } = owner.page;
    await owner.page.getByRole("radio", { name: "Organization" }).focus();
    await keyboard.press("ArrowDown");
    await owner.tabTo("Save…");
    await keyboard.press("Enter");
    await dialog(owner).waitFor();
    await owner.tabTo("Save");
    await keyboard.press("Enter");
    await owner.sees("Saved.");
    await expect.poll(() => owner.focused()).toBe("Save…");
    const stored = await workspace.data("/v2/workspace/apikeyconfig/get", {});
    expect(stored.defaultDocumentAccessType).toBe("restricted");
  });

  longTest("the form is accessible and fits on a phone", async () => {
    const { owner } = await openForm();
    await owner.page.setViewportSize(PHONE);
    expect(await owner.overflow()).toBe(0);
    expect(await owner.accessibilityViolations()).toEqual([]);
  });
});
