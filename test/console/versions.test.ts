import { expect, test } from "vitest";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY } from "./visitor.ts";

const EDITOR = { organizationId: "acme", documentId: "engine", editorId: "notes" };
const PATH = "documents?organization=acme&document=engine";

describeInBrowser("the page of a document", () => {
  test("it says what has changed lately, when the document was created, and how many users it has", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace, "Rename a clause", { changes: { title: { from: "Payment", to: "Terms" } } });
    await workspace.data("/v2/users/add", { organizationId: "acme", documentId: "engine", users: [{ userId: "ada" }] });
    await owner.follow(`/${workspace.id}/${PATH}`);
    await owner.sees("title: Payment → Terms");
    await owner.loaded();
    await owner.sees(
      /Last activity\s+just now\s+Created\s+just now\s+Users\s+1\s+Threads\s+0\s+Size of its content\s+0 bytes/,
    );
    await owner.page.getByRole("link", { name: "Last 7 days" }).press("Enter");
    await owner.sees("Rename a clause");
    expect(new URL(owner.page.url()).searchParams.get("from")).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(owner.problems).toEqual([]);
  });

  test("a version is added, compared with the present content and restored, which keeps that content", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const write = (path: "/v2/crdt/add" | "/v2/crdt/update", data: string) =>
      workspace.result(path, { ...EDITOR, type: "text", data });
    const getContent = async () => (await workspace.data("/v2/crdt/get", EDITOR))[0]?.data;
    const dialog = owner.page.getByRole("dialog");
    await write("/v2/crdt/add", "Pay within 30 days.");
    await owner.follow(`/${workspace.id}/${PATH}&editor=notes`);
    await owner.button("Create version").click();
    await dialog.getByLabel("Name").fill("Signed");
    await dialog.getByLabel("Name").press("Enter");
    await owner.sees("Signed");
    await write("/v2/crdt/update", "Pay within 60 days.");
    await owner.choose("Refresh", "Editor notes");
    await owner.sees("Pay within 60 days.");
    await owner.button("Compare Signed").press("Enter");
    await dialog.locator("del", { hasText: "30" }).waitFor();
    await dialog.locator("ins", { hasText: "60" }).waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.keyboard.press("Escape");
    await owner.button("Restore… Signed").press("Enter");
    await owner.confirm("Restore");
    await owner.sees("Automatic version");
    await expect.poll(getContent, EVENTUALLY).toBe("Pay within 30 days.");
    expect(await workspace.data("/v2/crdt/versions/list", EDITOR)).toHaveLength(2);
    expect(owner.problems).toEqual([]);
  });
});
