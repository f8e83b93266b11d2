import { expect, test } from "vitest";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY } from "./visitor.ts";

describeInBrowser("the page of a user", () => {
  test("the organization is named beside its ID, whichever one has the newest activity", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const organizations = ["beta", "acme"].map((id) => ({ organizationId: id, organizationName: `${id} company` }));
    await workspace.data("/v2/organizations/add", { organizations });
    await workspace.data("/v2/users/add", { organizationId: "beta", users: [{ userId: "ada", name: "Ada" }] });
    await addCommit(workspace);
    await owner.follow(`/${workspace.id}/people?user=ada`);
    await owner.loaded();
    const organization = owner.page.getByRole("combobox", { name: "Organization" });
    await expect.poll(() => organization.inputValue(), EVENTUALLY).toBe("beta company (beta)");
    expect(owner.problems).toEqual([]);
  });

  test("a user is created without a role, and gets one by an edit", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await workspace.data("/v2/organizations/add", { organizations: [{ organizationId: "acme" }] });
    await owner.follow(`/${workspace.id}/organizations?organization=acme&tab=users`);
    await owner.button("Create user").click();
    const dialog = owner.page.getByRole("dialog");
    await dialog.getByLabel("User ID").fill("ada");
    await owner.confirm("Create");
    await owner.sees("no role");
    const request = { organizationId: "acme", userIds: ["ada"] };
    expect(await workspace.data("/v2/users/get", request)).toEqual([{ userId: "ada" }]);
    await owner.button("Actions for ada").click();
    await owner.page.getByRole("menuitem", { name: "Edit…" }).click();
    await dialog.getByLabel("Role on the organization").selectOption("viewer");
    await owner.button("Save").click();
    await owner.sees("viewer");
    expect(await workspace.data("/v2/users/get", request)).toMatchObject([{ userId: "ada", accessRole: "viewer" }]);
    expect(owner.problems).toEqual([]);
  });

  test("the page says what the user did and may do, and below that what is stored", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const organizations = [{ organizationId: "acme", organizationName: "Acme Ltd" }];
    await workspace.data("/v2/organizations/add", { organizations });
    const ada = { userId: "ada", name: "Ada Lovelace", accessRole: "viewer" as const };
    await workspace.data("/v2/users/add", { organizationId: "acme", users: [ada] });
    const documents = [{ documentId: "engine", documentName: "The engine" }];
    await workspace.data("/v2/organizations/documents/add", { organizationId: "acme", documents });
    await workspace.data("/v2/organizations/usergroups/add", {
      ...{ organizationId: "acme", organizationUserGroups: [{ groupId: "legal", groupName: "Legal" }] },
    });
    await workspace.data("/v2/organizations/usergroups/users/add", {
      ...{ organizationId: "acme", organizationUserGroupId: "legal", userIds: ["ada"] },
    });
    await addCommit(workspace, "Weave a pattern");
    await owner.follow(`/${workspace.id}/people?user=ada`);
    await owner.sees("The engine");
    await owner.sees("Weave a pattern");
    await owner.sees("Acme Ltd / The engine");
    await owner.loaded();
    await owner.sees("not in the last 24 hours");
    const facts = await owner.page.getByRole("region", { name: "In Acme Ltd", exact: true }).innerText();
    expect(facts).toMatch(
      /Role\s+viewer\s+Last activity\s+just now\s+Last seen\s+not in the last 24 hours\s+Groups\s+Legal/,
    );
    const headings = await owner.page.getByRole("heading", { level: 2 }).allInnerTexts();
    expect(headings).toEqual([
      ...["Recent activity", "In Acme Ltd", "Documents", "Data protection", "Organizations", "Data in Acme Ltd"],
    ]);
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect(owner.problems).toEqual([]);
  });
});
