import { expect, test } from "vitest";
import { addFolders } from "../folders.ts";
import type { TestWorkspace } from "../harness.ts";
import { getRole, grant } from "../permissions.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY, type Visitor } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };
const RLO = "\u202E";
const ACME = { organizationId: "acme" };
const DOCUMENT = "documents?organization=acme&document=contract-7&tab=access";

/** Stores the document contract-7 in the restricted folder Contracts, of which Ada is a viewer. */
async function addRestricted(workspace: TestWorkspace): Promise<void> {
  await addFolders(workspace, [{ folderId: "contracts", folderName: "Contracts", accessType: "restricted" }]);
  const documents = [{ documentId: "contract-7", documentName: "Contract 7" }];
  await workspace.data("/v2/organizations/documents/add", { ...ACME, folderId: "contracts", documents });
  const users = [{ userId: "ada", name: "Ada Lovelace", email: "ada@acme.com", accessRole: "viewer" as const }];
  await workspace.data("/v2/users/add", { ...ACME, folderId: "contracts", users });
}

function getDialog({ page }: Visitor) {
  return page.getByRole("dialog");
}

/** Returns the rows of the users with a permission. */
function usersIn({ page }: Visitor) {
  return page.getByRole("list", { name: "Users with a permission" }).getByRole("listitem");
}

describeInBrowser("the access to a document or folder", () => {
  longTest("users are listed with the reason, and a permission on another resource links there", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addRestricted(workspace);
    await owner.follow(`/${workspace.id}/${DOCUMENT}`);
    await owner.sees("Restricted, defined by folder Contracts");
    expect(await usersIn(owner).allInnerTexts()).toEqual([expect.stringContaining("viewer through folder Contracts")]);
    await owner.sees("Permissions in user tokens are not listed.");
    expect(await owner.button(/^Revoke/).count()).toBe(0);
    await usersIn(owner).getByRole("link", { name: "folder Contracts" }).click();
    await owner.sees("viewer through this folder");
    await owner.sees("Restricted, set on this folder");
    await owner.button("Revoke… Ada Lovelace").waitFor();
    expect(new URL(owner.page.url()).searchParams.get("tab")).toBe("access");
    expect(owner.problems).toEqual([]);
  });

  test("access is granted to the user of a name, and to an unknown ID only after a warning", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await workspace.data("/v2/users/add", { ...ACME, users: [{ userId: "u-17", name: "Bob Quiet" }] });
    const documents = [{ documentId: "contract-7", documentName: "Contract 7" }];
    await workspace.data("/v2/organizations/documents/add", { ...ACME, documents });
    const isPublic = { ...ACME, documentIds: ["contract-7"], accessType: "public" as const };
    await workspace.data("/v2/organizations/documents/access/update", isPublic);
    await owner.follow(`/${workspace.id}/${DOCUMENT}`);
    await owner.button("Grant access…").click();
    const user = getDialog(owner).getByLabel("User", { exact: true });
    await getDialog(owner).getByText("This role takes that away from this user.").waitFor();
    await user.fill("Bob Qiet");
    await user.press("Enter");
    await getDialog(owner).getByText("No user has this ID.").waitFor();
    expect(await getRole(workspace, "Bob Qiet", "contract-7")).toBe("editor");
    await user.fill("Bob Q");
    await owner.page.getByRole("option", { name: "Bob Quiet (u-17)" }).waitFor();
    await user.fill("Bob Quiet");
    await user.press("Enter");
    await getDialog(owner).waitFor({ state: "detached" });
    await owner.sees("viewer through this document");
    expect(await getRole(workspace, "u-17", "contract-7")).toBe("viewer");
    expect(await getRole(workspace, "Bob Quiet", "contract-7")).toBe("editor");
    expect(owner.problems).toEqual([]);
  });

  test("access granted by keyboard is listed with its end and opens the document, until it is revoked", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addRestricted(workspace);
    expect(await getRole(workspace, "grace", "contract-7")).toBe("permission_denied");
    await owner.follow(`/${workspace.id}/${DOCUMENT}`);
    await owner.loaded();
    await owner.tabTo("Grant access…");
    await owner.page.keyboard.press("Enter");
    await owner.focusesIn("dialog");
    await owner.page.keyboard.type("grace");
    const role = getDialog(owner).getByLabel("Role");
    expect(await role.getByRole("option").allInnerTexts()).toEqual([
      ...["Viewer: reads", "Commenter: also comments", "Editor: also writes, and resolves every thread"],
      "Moderator: also changes others' comments, and access",
    ]);
    await role.selectOption("moderator");
    await getDialog(owner).getByLabel("Last valid day").fill("2100-12-03");
    await owner.page.keyboard.press("Enter");
    await getDialog(owner).getByText("No user has this ID. Submit again to use it anyway.").waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.keyboard.press("Enter");
    await owner.sees("moderator through this document, until Dec 3, 2100");
    expect(await usersIn(owner).count()).toBe(2);
    expect(await getRole(workspace, "grace", "contract-7")).toBe("moderator");

    await owner.button("Revoke… grace").click();
    await getDialog(owner).getByText("Removes the permission on document Contract 7").waitFor();
    await owner.confirm("Revoke");
    await expect.poll(() => usersIn(owner).count(), EVENTUALLY).toBe(1);
    expect(await getRole(workspace, "grace", "contract-7")).toBe("permission_denied");
    expect(owner.problems).toEqual([]);
  });

  longTest("the access type of a document and a folder is set, and inherited again", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addRestricted(workspace);
    const choose = async (name: string) => {
      await owner.button("Change…").click();
      await getDialog(owner).getByRole("radio", { name, exact: true }).check();
      await owner.confirm("Save");
      await getDialog(owner).waitFor({ state: "detached" });
    };
    await owner.follow(`/${workspace.id}/${DOCUMENT}`);
    await choose("Public");
    await owner.sees("Public, set on this document");
    await owner.sees("Every user of any organization can read and edit");
    expect(await getRole(workspace, "stranger", "contract-7")).toBe("editor");
    await choose("Inherit");
    await owner.sees("Restricted, defined by folder Contracts");
    expect(await getRole(workspace, "stranger", "contract-7")).toBe("permission_denied");

    await owner.follow(`/${workspace.id}/documents?organization=acme&folder=contracts&tab=access`);
    await choose("Organization");
    await owner.sees("Organization, set on this folder");
    await choose("Inherit");
    await owner.sees("Organization, the default of the workspace");
    expect(await getRole(workspace, "stranger", "contract-7")).toBe("permission_denied");
    expect(owner.problems).toEqual([]);
  });

  longTest("an error is shown beside its field, and goes when the field is changed", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addRestricted(workspace);
    await owner.follow(`/${workspace.id}/${DOCUMENT}`);
    await owner.button("Grant access…").click();
    const user = getDialog(owner).getByLabel("User", { exact: true });
    await user.fill("u".repeat(257));
    await owner.confirm("Grant access");
    await expect.poll(() => user.getAttribute("aria-invalid"), EVENTUALLY).toBe("true");
    await getDialog(owner).getByText("Must have at most 256 characters.").waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await user.fill("grace");
    expect(await user.getAttribute("aria-invalid")).not.toBe("true");
    await owner.confirm("Grant access");
    await getDialog(owner).getByText("No user has this ID.").waitFor();
    await owner.confirm("Grant access");
    await owner.sees("viewer through this document");
    expect(owner.problems).toEqual([]);
  });

  longTest("60 users with unusual names are paged, are accessible and fit on a phone", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addRestricted(workspace);
    const names = [`${RLO}evil`, "עברית", "Verylongword".repeat(21), "<b>bold</b>"];
    const users = Array.from({ length: 60 }, (_, index) => ({
      userId: `u${index + 10}`,
      name: names[index] ?? `User ${index}`,
      accessRole: "viewer" as const,
    }));
    await workspace.data("/v2/users/add", { ...ACME, documentId: "contract-7", users });
    await grant(workspace, `u${RLO}x`, "document contract-7");
    await owner.follow(`/${workspace.id}/${DOCUMENT}`);
    await owner.sees("[U+202E]evil");
    expect(await owner.text()).not.toContain(RLO);
    expect(await usersIn(owner).count()).toBe(50);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.setViewportSize(PHONE);
    expect(await owner.overflow()).toBe(0);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.getByRole("link", { name: "Next page" }).click();
    await owner.sees("u[U+202E]x");
    await expect.poll(() => usersIn(owner).count(), EVENTUALLY).toBe(12);
    expect(owner.problems).toEqual([]);
  });
});
