import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { newPage } from "../console/browser.ts";
import { describeInBrowser, EVENTUALLY } from "../console/visitor.ts";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../crdt.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";
import { bundle, servePage } from "./packed.ts";
import { accessibilityViolations, installReact } from "./react-page.ts";

const service = await startTestService();

const PAGE = `
import { createClient } from "@colloquy/client";
import { ColloquyProvider, Versions } from "@colloquy/react";
import { createElement as h, StrictMode } from "react";
import { createRoot } from "react-dom/client";

export function open({ url, token, ...props }) {
  const client = createClient({ url, getUserToken: () => token });
  const resolveUsers = (ids) => ids.map((userId) => ({ userId, name: "User " + userId }));
  createRoot(document.getElementById("root")).render(
    h(StrictMode, null,
      h(ColloquyProvider, { client, organizationId: "acme", userId: "ada", resolveUsers }, h(Versions, props))));
}
`;

describeInBrowser("the versions of a collaborative document", () => {
  let script: string;
  beforeAll(async () => {
    script = await bundle(await installReact(), PAGE);
  });

  async function openVersions(workspace: TestWorkspace): Promise<Page> {
    await workspace.result("/v2/workspace/domains/add", { domains: ["localhost"] });
    const page = await newPage();
    await page.goto(servePage(script));
    const { documentId, editorId } = COLLABORATIVE_DOCUMENT;
    const token = await tokenFor(workspace, "ada");
    const options = { url: service.address, token, documentId, editorId, headingLevel: 1 };
    await page.evaluate(`import("/script.js").then(({ open }) => open(${JSON.stringify(options)}))`);
    return page;
  }

  const getContent = async (workspace: TestWorkspace) => (await readContent(workspace)).data;

  test("a user sees who changed what since a version, names it, restores it, and undoes that", async () => {
    const workspace = await service.workspace();
    await addContent(workspace, { type: "text", data: "Pay within 30 days.", userId: "ada" });
    await updateContent(workspace, { type: "text", data: "Pay within 60 days.", userId: "grace" });
    const page = await openVersions(workspace);
    const version = page.getByRole("button", { name: "Automatic version" });
    await version.click();
    await page.locator("del", { hasText: "3" }).waitFor();
    const added = page.locator("ins", { hasText: "6" });
    expect(await added.getAttribute("title")).toBe("User grace");
    expect(await page.getByRole("group", { name: "Changes since this version" }).innerText()).toContain("Pay within");
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Name this version" }).click();
    await page.getByLabel("Name of the version").fill("Signed");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Signed" }).waitFor();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    const dialog = page.getByRole("alertdialog", { name: "Restore “Signed”?" });
    expect(await accessibilityViolations(page)).toEqual([]);
    const restore = dialog.getByRole("button", { name: "Restore" });
    expect(await restore.getAttribute("data-variant")).toBe("primary");
    await restore.click();
    await page.getByText("The version is restored.").waitFor();
    await expect.poll(() => getContent(workspace), EVENTUALLY).toBe("Pay within 30 days.");
    await page.getByText("Nothing has changed").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => getContent(workspace), EVENTUALLY).toBe("Pay within 60 days.");
    await expect.poll(() => page.getByText("The version is restored.").count(), EVENTUALLY).toBe(0);
    await added.waitFor();
  });

  test("a document without versions says so", async () => {
    const workspace = await service.workspace();
    await addContent(workspace, { type: "text", data: "One." });
    const page = await openVersions(workspace);
    await page.getByText("No versions yet.").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
