import { expect, test } from "vitest";
import { post, startTestService } from "../harness.ts";
import { longTest } from "../sizes.ts";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

const { address } = await startTestService();

describeInBrowser("actions of an owner", () => {
  test("a created token is shown once and authenticates a backend within its scopes until it is revoked", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/settings?tab=tokens`);
    await owner.button("Create token").click();
    await owner.page.getByLabel("Name").fill("billing");
    expect(await owner.page.getByLabel("Administer").isChecked()).toBe(false);
    await owner.confirm("Create");
    const authToken = await owner.page.getByLabel("Auth token of billing").innerText();
    const request = (path = "/v2/organizations/get") =>
      post(
        `${address}${path}`,
        {},
        { "x-service-api-key": workspace.apiKey, "x-service-auth-token": authToken.trim() },
      );
    expect(await request()).toMatchObject({ httpStatus: 200 });
    expect(await request("/v2/workspace/sessions/get")).toMatchObject({
      httpStatus: 403,
      body: { error: { details: { reason: "scope_missing" } } },
    });
    await owner.confirm("Done");
    await owner.follow(`/${workspace.id}/overview`);
    await owner.follow(`/${workspace.id}/settings?tab=tokens`);
    await owner.sees(/billing\n+ends in \w+\n+read, write\n/);
    expect(await owner.page.content()).not.toContain(authToken.trim());

    await owner.button("Revoke… billing").click();
    await owner.confirm("Revoke permanently");
    await owner.button("Revoke… billing").waitFor({ state: "detached" });
    await expect.poll(() => owner.focused()).toBe("Auth tokens");
    expect(await request()).toMatchObject({
      httpStatus: 403,
      body: { error: { details: { reason: "auth_token_invalid" } } },
    });
    expect(owner.problems).toEqual([]);
  });

  test("a disabled organization rejects writes until it is enabled", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    await owner.follow(`/${workspace.id}/organizations?organization=acme`);
    await owner.button("Disable…").click();
    await owner.page.getByRole("dialog").getByText("Nothing is deleted").waitFor();
    expect(await owner.focused()).toBe("Cancel");
    await owner.confirm("Disable");
    await owner.button("Enable…").waitFor();
    await owner.sees("Documents cannot be read until the organization is enabled again.");
    const add = { organizationId: "acme", documentId: "engine", activities: [] };
    expect(await workspace.error("/v2/activities/add", { ...add, activities: [ACTIVITY] })).toMatchObject({
      httpStatus: 403,
      details: { reason: "organization_disabled" },
    });
    await owner.button("Enable…").click();
    await owner.confirm("Enable");
    await owner.button("Disable…").waitFor();
    await owner.sees("engine");
    await addCommit(workspace);
    // The list of documents may be read again before the page knows that the organization is disabled.
    expect(owner.problems.filter((problem) => !problem.includes("403"))).toEqual([]);
  });

  longTest("a name that is added to an organization without one is stored and shown", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    await owner.follow(`/${workspace.id}/organizations?organization=acme`);
    await owner.button("Add a name…").click();
    await owner.focusesIn("dialog");
    await owner.page.keyboard.type("Acme Ltd");
    await owner.page.keyboard.press("Enter");
    await owner.page.getByRole("heading", { level: 1, name: "Acme Ltd" }).waitFor();
    await owner.button("Rename…").waitFor();
    const [organization] = await workspace.data("/v2/organizations/get", { organizationIds: ["acme"] });
    expect(organization).toMatchObject({ id: "acme", organizationName: "Acme Ltd" });
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect(owner.problems).toEqual([]);
  });

  test("a thread shows its comments and new ones, is answered in a user's name, assigned and resolved", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const scope = { organizationId: "acme", documentId: "contract" };
    const ada = { userId: "ada", name: "Ada Lovelace" };
    const grace = { userId: "grace", name: "Grace Hopper", email: "grace@example.com" };
    await workspace.data("/v2/users/add", { organizationId: "acme", users: [ada, grace] });
    const attachments = [{ url: "https://files.example/terms.pdf" }, { url: "javascript:alert(1)", name: "draft" }];
    const commentData = [
      { commentId: 1, from: ada, commentText: "Thirty days?\nOr sixty?", attachments },
      { commentId: 2, from: ada, commentHtml: "<b>Nobody</b> answers<img src=x onerror=alert(1)>" },
    ];
    const content = { ...scope, editorId: "terms", type: "text" as const };
    await workspace.data("/v2/crdt/add", { ...content, data: "Payment is due within thirty days." });
    const positions = { start: "ALW0++0KFgA=", end: "ALW0++0KIEE=" };
    const anchor = { editorId: "terms", ...positions, quote: { exact: "due within thirty days" } };
    const added = { annotationId: "a", assignedTo: grace, anchor, commentData };
    await workspace.data("/v2/commentannotations/add", { ...scope, commentAnnotations: [added] });
    const reaction = { ...scope, annotationId: "a", commentId: 1, reaction: "👍", from: grace };
    await workspace.data("/v2/reactions/add", reaction);
    // Somebody has listened before, so that the list misses no change.
    await workspace.data("/v2/events/get", { organizationId: "acme" });

    await owner.follow(`/${workspace.id}/documents?organization=acme&document=contract`);
    await owner.button("View Ada Lovelace: Thirty days? Or sixty?").press("Enter");
    const drawer = owner.page.getByRole("dialog");
    await drawer.getByText("Thirty days?\nOr sixty?").waitFor();
    await drawer.getByText("<b>Nobody</b> answers<img src=x onerror=alert(1)>").waitFor();
    await drawer.getByText("assigned to Grace Hopper").waitFor();
    await drawer.getByText("due within thirty days").waitFor();
    await workspace.data("/v2/crdt/update", { ...content, data: "Nothing is due." });
    await drawer.getByText("Passage deleted").waitFor();
    expect(await drawer.getByLabel("Reactions").innerText()).toBe("👍 Grace Hopper");
    expect(await drawer.getByLabel("Attachments").getByRole("link").allInnerTexts()).toEqual(["terms.pdf"]);
    expect(await owner.accessibilityViolations()).toEqual([]);

    await drawer.getByLabel("Reply", { exact: true }).click();
    await owner.page.keyboard.type("Thirty.");
    await owner.page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await owner.button(/^View /).press("Enter");
    const late = [{ commentId: 3, from: grace, commentText: "Ninety?" }];
    await workspace.data("/v2/commentannotations/comments/add", { ...scope, annotationId: "a", commentData: late });
    await drawer.getByText("Ninety?").waitFor();
    expect(await drawer.getByLabel("Reply", { exact: true }).inputValue()).toBe("Thirty.");
    await drawer.getByLabel("Reply", { exact: true }).focus();
    await owner.page.keyboard.press("Tab");
    expect(await drawer.getByRole("button", { name: "Add reply" }).isDisabled()).toBe(true);
    await owner.page.keyboard.type("hopper");
    await owner.page.getByRole("option", { name: "Grace Hopper (grace)" }).waitFor();
    await owner.page.keyboard.press("ArrowDown");
    await owner.page.keyboard.press("Enter");
    await drawer.getByRole("button", { name: "Add reply" }).press("Enter");
    await drawer.getByText("Thirty.", { exact: true }).waitFor();
    await drawer.locator("textarea:focus").waitFor();
    await drawer.getByRole("button", { name: "Unassign" }).press("Enter");
    await drawer.getByText("not assigned").waitFor();
    expect(await owner.focused()).toBe("Assign…");
    await owner.page.keyboard.press("Enter");
    await drawer.getByLabel("Assign to").fill("nobody");
    await drawer.getByLabel("Assign to").press("Enter");
    await drawer.getByText("No user has this ID.").waitFor();
    await drawer.getByText("not assigned").waitFor();
    await drawer.getByLabel("Assign to").press("Enter");
    await drawer.getByText("assigned to nobody").waitFor();
    expect(await owner.focused()).toBe("Reassign…");
    await owner.page.keyboard.press("Enter");
    await drawer.getByLabel("Assign to").fill("ada");
    await drawer.getByLabel("Assign to").press("Enter");
    await drawer.getByText("assigned to Ada Lovelace").waitFor();
    await drawer.getByRole("button", { name: "Resolve" }).press("Enter");
    await drawer.getByRole("button", { name: "Reopen" }).waitFor();
    await expect.poll(() => owner.focused()).toBe("Reopen");
    const [annotation] = Object.values(await workspace.data("/v2/commentannotations/get", scope));
    expect(annotation).toMatchObject({
      status: { id: "RESOLVED", type: "terminal" },
      assignedTo: ada,
      comments: [{}, {}, {}, { commentText: "Thirty.", from: grace }],
    });
    await owner.page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await owner.sees("Resolved");
    await owner.sees("2 more comments");
    expect(owner.problems).toEqual([]);
  });

  test("preferences for a document are removed, so that those for the organization apply", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const scope = { organizationId: "acme", userIds: ["grace"] };
    const set = (request: { config: object; documentIds?: string[] }) =>
      workspace.data("/v2/notifications/config/set", { ...scope, ...request });
    await set({ config: { inbox: "MINE" } });
    await set({ documentIds: ["contract"], config: { inbox: "NONE", email: "NONE" } });
    await owner.follow(`/${workspace.id}/notifications?organization=acme&user=grace`);
    await owner.button("Remove… the preferences for contract").click();
    await owner.confirm("Remove");
    await owner.sees("The preferences for the organization apply to all documents.");
    const read = { organizationId: "acme", userId: "grace", documentIds: ["contract"] };
    expect(await workspace.data("/v2/notifications/config/get", read)).toMatchObject([
      { config: { inbox: "MINE", email: "ALL" } },
    ]);
  });

  longTest("a notification shows who has read it, and which rule kept it from a user", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const notifyUsers = ["bob", "grace", "kurt", "zoe"].map((userId) => ({ userId }));
    const users = notifyUsers.map((user) => ({ ...user, accessRole: "viewer" as const }));
    await workspace.data("/v2/users/add", { organizationId: "acme", users });
    const ofDocument = { organizationId: "acme", userIds: ["bob"], documentIds: ["contract"] };
    await workspace.data("/v2/notifications/config/set", { ...ofDocument, config: { inbox: "NONE" } });
    await workspace.data("/v2/notifications/add", {
      ...{ organizationId: "acme", documentId: "contract", actionUser: { userId: "ada" }, notifyAll: false },
      notifyUsers,
      displayHeadlineMessageTemplate: "Sign this",
      displayBodyMessage: "By Friday.",
    });
    await workspace.data("/v2/notifications/read", { organizationId: "acme", userId: "grace" });
    const kept = { userId: "zoe", persistReadForUsers: true };
    await workspace.data("/v2/notifications/read", { organizationId: "acme", ...kept });
    await owner.follow(`/${workspace.id}/notifications?organization=acme&document=contract`);
    await owner.button(/^View /).press("Enter");
    const recipients = owner.page.getByRole("dialog").getByRole("list", { name: "Recipients" }).getByRole("listitem");
    await recipients.first().waitFor();
    const [bob, grace, kurt, zoe] = await recipients.allInnerTexts();
    expect(bob).toMatch(/^bob\n+not in the inbox\n.*\(preference-none\).*Set for document contract: inbox NONE\./s);
    expect(grace).toMatch(/^grace\n+read just now\n/);
    expect(kurt).toMatch(/^kurt\n+unread\n.*No preferences set/s);
    expect(zoe).toMatch(/^zoe\n+read just now\n.*is in the user's inbox/s);
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect(owner.problems).toEqual([]);
  });

  longTest("a filter is kept in the URL, and Back removes it", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace, "Begin");
    await addCommit(workspace, "Change it", { actionUser: { userId: "grace", name: "Grace Hopper" } });
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.sees("Begin");
    await owner.page.getByRole("link", { name: "Grace Hopper", exact: true }).click();
    await expect.poll(() => owner.text()).not.toContain("Begin");
    expect(new URL(owner.page.url()).searchParams.get("user")).toBe("grace");
    await owner.sees("Change it");
    await owner.page.getByLabel("Feature").selectOption("crdt");
    await owner.button("Clear filters").click();
    await owner.sees("Begin");
    await owner.page.goBack();
    await owner.sees("No activity matches these filters.");
    await owner.page.goBack();
    await owner.sees("Change it");
    await owner.page.goBack();
    await owner.sees("Begin");
    await owner.page.getByRole("combobox", { name: "User" }).fill("grace");
    await owner.page.keyboard.press("Enter");
    await expect.poll(() => owner.text()).not.toContain("Begin");
    await expect.poll(() => owner.page.locator(":focus").inputValue()).toBe("grace");
    await owner.button("Clear User").click();
    await owner.sees("Begin");
    await expect.poll(() => owner.page.locator(":focus").getAttribute("placeholder")).toBe("Any");
    await owner.follow(`/${workspace.id}/activities?from=2026-01-02T00:00&to=2026-01-01T00:00`);
    await owner.sees("From is after To.");
  });

  test("a new activity appears on the overview without a reload", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/overview`);
    await owner.sees("No activity yet.");
    await addCommit(workspace, "", { displayMessageTemplate: "{{actionUser}} wrote while the page is open" });
    await owner.awaits("Ada Lovelace wrote while the page is open");
  });
});

const ACTIVITY = {
  ...{ featureType: "custom" as const, actionType: "commit.add", targetEntityId: "main" },
  actionUser: { userId: "ada", name: "Ada Lovelace" },
};
