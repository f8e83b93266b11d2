import { expect, test } from "vitest";
import type { TestWorkspace } from "../harness.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY, type Visitor } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };
const RLO = "\u202E";
const SCOPE = { organizationId: "acme" };
const PATH = "documents?organization=acme";

/** Stores the folder Contracts with Drafts in it, and a document in each. */
async function addFolders(workspace: TestWorkspace): Promise<void> {
  const folders = [
    { folderId: "contracts", folderName: "Contracts" },
    { folderId: "drafts", folderName: "Drafts", parentFolderId: "contracts" },
    { folderId: "invoices", folderName: "Invoices" },
  ];
  await workspace.data("/v2/organizations/folders/add", { ...SCOPE, folders });
  for (const [folderId, documentId] of [
    ["contracts", "contract-7"],
    ["drafts", "draft-1"],
  ] as const) {
    await workspace.data("/v2/organizations/documents/add", { ...SCOPE, folderId, documents: [{ documentId }] });
  }
}

function getDialog({ page }: Visitor) {
  return page.getByRole("dialog");
}

/** Chooses a folder in the select of the open dialog by keyboard. */
async function choose(owner: Visitor, label: string, text: string, option: string | RegExp): Promise<void> {
  const select = getDialog(owner).getByRole("combobox", { name: label });
  // The select writes the label of the current folder once the folders are loaded, over what was typed before.
  await expect.poll(() => select.inputValue(), EVENTUALLY).not.toBe("");
  await select.fill(text);
  await owner.page.getByRole("option", { name: option }).waitFor();
  await owner.page.keyboard.press("ArrowDown");
  await owner.page.keyboard.press("Enter");
}

function selectedFolder({ page }: Visitor): string | null {
  return new URL(page.url()).searchParams.get("folder");
}

describeInBrowser("the folders of an organization", () => {
  longTest("folders open, close and are selected by keyboard, and the URL keeps the selection", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addFolders(workspace);
    await owner.follow(`/${workspace.id}/${PATH}`);
    await owner.sees("draft-1");
    expect(await owner.text()).not.toContain("Drafts");
    await owner.tabTo("Folders in Contracts");
    await owner.page.keyboard.press("Enter");
    await owner.sees("Drafts");
    await owner.tabTo("Drafts");
    await owner.page.keyboard.press("Enter");
    await owner.sees("1 document in this folder");
    expect(selectedFolder(owner)).toBe("drafts");
    await expect.poll(() => owner.text(), EVENTUALLY).not.toContain("contract-7");
    await owner.sees("draft-1");

    await owner.page.reload();
    await owner.loaded();
    const contracts = owner.button("Folders in Contracts");
    expect(await contracts.getAttribute("aria-expanded")).toBe("true");
    expect(await owner.page.locator("[aria-current=true]").allInnerTexts()).toEqual(["Drafts"]);
    await contracts.press("Space");
    expect(await contracts.getAttribute("aria-expanded")).toBe("false");
    expect(await owner.page.getByRole("link", { name: "Drafts", exact: true }).count()).toBe(0);
    expect(owner.problems).toEqual([]);
  });

  test("a folder is created in the selected one, renamed and moved", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addFolders(workspace);
    await owner.follow(`/${workspace.id}/${PATH}&folder=drafts`);
    await owner.loaded();
    await owner.button("Create folder").click();
    await getDialog(owner).getByLabel("Name").fill("Year 2026");
    await getDialog(owner).getByLabel("ID").fill("y26");
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.confirm("Create");
    await owner.page.getByRole("heading", { level: 2, name: "Year 2026" }).waitFor();
    expect(selectedFolder(owner)).toBe("y26");

    await owner.button("Rename…").click();
    await getDialog(owner).getByLabel("Name").fill("This year");
    await owner.confirm("Rename");
    await owner.page.getByRole("heading", { level: 2, name: "This year" }).waitFor();

    await owner.button("Move…").first().click();
    await choose(owner, "To", "invo", "Invoices");
    await owner.confirm("Move");
    await getDialog(owner).waitFor({ state: "detached" });
    await owner.sees("in Invoices");
    expect(await owner.button("Folders in Invoices").getAttribute("aria-expanded")).toBe("true");
    const [moved] = await workspace.data("/v2/organizations/folders/get", { ...SCOPE, folderId: "y26" });
    expect(moved).toMatchObject({ folderName: "This year", ancestors: ["root", "invoices"] });
    expect(owner.problems).toEqual([]);
  });

  test("a folder is deleted with its documents only after its ID is typed", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addFolders(workspace);
    await owner.follow(`/${workspace.id}/${PATH}&folder=drafts`);
    await owner.loaded();
    await owner.button("Delete…").click();
    await getDialog(owner).getByText("Deletes the folder, its subfolders and all documents in them").waitFor();
    expect(await getDialog(owner).getByRole("button", { name: "Delete permanently" }).isDisabled()).toBe(true);
    await getDialog(owner).getByLabel("Type drafts to confirm").fill("drafts");
    await owner.confirm("Delete permanently");
    await owner.page.getByRole("heading", { level: 2, name: "Contracts" }).waitFor();
    expect(selectedFolder(owner)).toBe("contracts");
    expect(await workspace.error("/v2/organizations/folders/get", { ...SCOPE, folderId: "drafts" })).toMatchObject({
      status: "NOT_FOUND",
    });
    const documents = await workspace.data("/v2/organizations/documents/get", SCOPE);
    expect(documents.map(({ id }) => id)).toEqual(["contract-7"]);
    expect(owner.problems).toEqual([]);
  });

  longTest("a document is moved into a folder and out of any", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addFolders(workspace);
    const getFolder = async (id: string) => {
      const [document] = await workspace.data("/v2/organizations/documents/get", { ...SCOPE, documentIds: [id] });
      return document?.folderId;
    };
    await owner.follow(`/${workspace.id}/${PATH}&folder=contracts`);
    await owner.button("Actions for contract-7").click();
    await owner.page.getByRole("menuitem", { name: "Move…" }).click();
    await choose(owner, "Folder in Contracts", "draf", "Drafts");
    await owner.confirm("Move");
    await owner.sees("No documents here.");
    expect(await getFolder("contract-7")).toBe("drafts");

    await owner.follow(`/${workspace.id}/${PATH}&document=contract-7`);
    await owner.sees(/Folder\s+Drafts/);
    await owner.button("Move… contract-7").click();
    await choose(owner, "To", "top", "Top level");
    await owner.confirm("Move");
    await owner.sees("outside of any folder");
    expect(await getFolder("contract-7")).toBeUndefined();
    expect(owner.problems).toEqual([]);
  });

  longTest("moving reads one level of folders at a time, when it is chosen", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addFolders(workspace);
    const folders = [{ folderId: "year-26", folderName: "Year 2026", parentFolderId: "drafts" }];
    await workspace.data("/v2/organizations/folders/add", { ...SCOPE, folders });
    const reads: unknown[] = [];
    owner.page.on("request", (request) => {
      if (request.url().endsWith("/v2/organizations/folders/get")) reads.push(request.postDataJSON().data);
    });
    const select = (name: string) => getDialog(owner).getByRole("combobox", { name });
    const getLevel = (folderId: string) => ({ ...SCOPE, folderId, maxDepth: 2 });

    await owner.follow(`/${workspace.id}/${PATH}&document=draft-1`);
    await owner.button("Move… draft-1").click();
    await expect.poll(() => select("Folder in Drafts").count(), EVENTUALLY).toBe(1);
    const path = ["To", "Folder in Contracts", "Folder in Drafts"].map((name) => select(name).inputValue());
    expect((await Promise.all(path)).map((text) => text.replaceAll(/[\u2068\u2069]/g, ""))).toEqual([
      "Contracts",
      "Drafts",
      "Directly in Drafts",
    ]);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.keyboard.press("Escape");
    await getDialog(owner).waitFor({ state: "detached" });
    expect(reads).toHaveLength(3);
    expect(reads).toEqual(
      expect.arrayContaining([{ ...SCOPE, maxDepth: 1 }, getLevel("contracts"), getLevel("drafts")]),
    );

    reads.length = 0;
    await workspace.data("/v2/organizations/documents/move", {
      ...SCOPE,
      documentIds: ["contract-7"],
      folderId: "root",
    });
    await owner.followAnew(workspace.id, `/${PATH}&document=contract-7`);
    await owner.loaded();
    await owner.button("Move… contract-7").click();
    await choose(owner, "To", "contr", "Contracts");
    await choose(owner, "Folder in Contracts", "draf", "Drafts");
    await choose(owner, "Folder in Drafts", "2026", "Year 2026");
    await choose(owner, "Folder in Contracts", "direct", /^Directly in .Contracts.$/);
    expect(await getDialog(owner).getByRole("combobox").count()).toBe(2);
    expect(reads).toEqual([{ ...SCOPE, maxDepth: 1 }, getLevel("contracts"), getLevel("drafts")]);
    await owner.confirm("Move");
    await owner.sees(/Folder\s+Contracts/);
    expect(owner.problems).toEqual([]);
  });

  longTest("an error of the service is shown beside the field that it is about", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addFolders(workspace);
    await owner.follow(`/${workspace.id}/${PATH}`);
    await owner.button("Create folder").click();
    const id = getDialog(owner).getByLabel("ID");
    const error = async () => {
      const ids = (await id.getAttribute("aria-describedby"))?.split(" ") ?? [];
      const texts = ids.map((one) => owner.page.locator(`[id="${one}"].mantine-InputWrapper-error`).allInnerTexts());
      return (await Promise.all(texts)).flat();
    };
    await getDialog(owner).getByLabel("Name").fill("contracts");
    await owner.confirm("Create");
    await expect.poll(error, EVENTUALLY).toEqual(["A folder with this ID exists already."]);
    expect(await id.getAttribute("aria-invalid")).toBe("true");
    expect(await owner.accessibilityViolations()).toEqual([]);

    await id.fill("root");
    expect(await error()).toEqual([]);
    await owner.confirm("Create");
    await expect.poll(error, EVENTUALLY).toEqual(["Must not be root, the reserved ID of the top level."]);

    await id.fill("new");
    await choose(owner, "In", "invo", "Invoices");
    await workspace.data("/v2/organizations/folders/delete", { ...SCOPE, folderId: "invoices" });
    await owner.confirm("Create");
    await getDialog(owner).getByText("The parent folder does not exist.").waitFor();
    expect(await getDialog(owner).getByRole("combobox").getAttribute("aria-invalid")).toBe("true");
    expect(await workspace.data("/v2/organizations/folders/get", SCOPE)).toHaveLength(2);
    // The service rejected the request about the reserved ID.
    expect(owner.problems).toEqual([expect.stringContaining("400")]);
  });

  longTest("200 folders with unusual names are shown step by step, are accessible and fit on a phone", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const unusual = [`${RLO}evil`, "עברית", "Verylongword".repeat(21), "👩‍👩‍👧‍👦 family", "<b>bold</b>"];
    const folders = Array.from({ length: 200 }, (_, index) => ({
      folderId: `folder-${index}`,
      folderName: unusual[index] ?? `Folder ${index}`,
    }));
    await workspace.data("/v2/organizations/folders/add", { ...SCOPE, folders });
    await owner.follow(`/${workspace.id}/${PATH}&folder=folder-0`);
    await owner.sees("[U+202E]evil");
    expect(await owner.text()).not.toContain(RLO);
    expect(await owner.accessibilityViolations()).toEqual([]);

    const shown = () => owner.page.locator(".folder-tree .folder-row").count();
    await owner.follow(`/${workspace.id}/${PATH}`);
    const more = owner.button(/^Show more folders/);
    expect(await more.innerText()).toBe("Show more folders (150)");
    for (const left of ["100", "50"]) {
      await more.click();
      await owner.sees(`Show more folders (${left})`);
    }
    await more.click();
    // Two entries of the tree are not folders.
    await expect.poll(shown).toBe(202);
    const names = (await owner.text()).split("\n");
    expect(names.indexOf("Folder 9")).toBeLessThan(names.indexOf("Folder 10"));

    await owner.page.setViewportSize(PHONE);
    expect(await owner.overflow()).toBe(0);
    await owner.page.getByRole("link", { name: "Folder 10", exact: true }).click();
    await owner.sees("Documents in this folder");
    expect(await owner.overflow()).toBe(0);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.getByRole("link", { name: "All folders" }).click();
    await owner.sees("Folder 11");
    expect(owner.problems).toEqual([]);
  });
});
