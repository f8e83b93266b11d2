import { expect, test } from "vitest";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

const ACME = { organizationId: "acme" };

describeInBrowser("names instead of IDs", () => {
  test("documents, recipients and groups have their names in feeds, notifications, mails and drawers", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace, "Weave a pattern");
    const [activity] = await workspace.data("/v2/activities/get", ACME);
    const documentId = activity?.metadata.documentId ?? "";
    const updated = [{ documentId, documentName: "The engine" }];
    await workspace.data("/v2/organizations/documents/update", { ...ACME, documents: updated });
    // A user of a folder alone has a name too.
    await workspace.data("/v2/organizations/folders/add", { ...ACME, folders: [{ folderId: "plans" }] });
    const users = [{ userId: "u-17", name: "Grace Hopper" }];
    await workspace.data("/v2/users/add", { ...ACME, folderId: "plans", users });
    await workspace.data("/v2/organizations/usergroups/add", {
      ...{ ...ACME, organizationUserGroups: [{ groupId: "g-3", groupName: "Legal" }] },
    });
    await workspace.data("/v2/organizations/usergroups/users/add", {
      ...{ ...ACME, organizationUserGroupId: "g-3", userIds: ["u-17"] },
    });
    await workspace.data("/v2/notifications/add", {
      ...{ ...ACME, documentId, actionUser: { userId: "ada", name: "Ada" } },
      ...{
        displayHeadlineMessageTemplate: "Look at this",
        displayBodyMessage: "It weaves.",
        notifyUsers: [{ userId: "u-17" }],
      },
    });
    const path = `/${workspace.id}`;
    const details = async (headline: string) => {
      await owner.page.getByRole("listitem").filter({ hasText: headline }).first().getByRole("button").click();
      const dialog = owner.page.getByRole("dialog");
      await dialog.getByText("The engine").waitFor();
      await owner.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    };
    for (const page of ["activities", "activities?organization=acme"]) {
      await owner.follow(`${path}/${page}`);
      await owner.sees("Weave a pattern");
      await owner.sees("The engine");
      await details("Weave a pattern");
    }
    await owner.follow(`${path}/overview`);
    await owner.sees("acme / The engine");
    await owner.follow(`${path}/notifications?organization=acme`);
    await owner.sees("The engine");
    await details("Look at this");
    await owner.follow(`${path}/notifications?organization=acme&document=${documentId}`);
    await owner.sees("Notifications about The engine");
    await owner.sees("to Grace Hopper");
    await details("Look at this");
    await owner.follow(`${path}/people?organization=acme&user=u-17`);
    await owner.sees(/Groups\s+Legal/);
    await owner.follow(`${path}/people?organization=acme&group=g-3`);
    await owner.sees("Members of group Legal.");
    expect(owner.problems).toEqual([]);
  });
});
