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
});
