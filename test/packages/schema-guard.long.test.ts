import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import * as Y from "yjs";
import packageJson from "../../package.json" with { type: "json" };
import { addDueVersion } from "../../src/features/crdt/versions/automatic/version-timer.ts";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser, EVENTUALLY } from "../console/visitor.ts";
import { addContent, readContent } from "../crdt.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { openSyncedPage, type SyncedPage } from "../sync.ts";
import { tokenFor } from "../user-tokens.ts";
import { bundle, installPacked, servePage } from "./packed.ts";

const service = await startTestService();
const REF = { organizationId: "acme", documentId: "contract-7", editorId: "clause-3" };
const PACKAGES = [
  ...(["react", "react-dom", "@hocuspocus/provider", "yjs", "@tiptap/core", "@tiptap/pm"] as const),
  ...(["@tiptap/starter-kit", "@tiptap/extension-collaboration"] as const),
];

/** A page with an editor of Tiptap, which knows a mark or not, and is guarded or not. */
const PAGE = `
import { createClient } from "@colloquy/client";
import { toEditorSchema } from "@colloquy/client/schema";
import { ColloquyProvider } from "@colloquy/react";
import { useDocument } from "@colloquy/react/document";
import { Editor, getSchema, Mark } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import StarterKit from "@tiptap/starter-kit";
import { createElement as h, useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";

const Highlight = Mark.create({
  name: "highlight", parseHTML: () => [{ tag: "mark" }], renderHTML: () => ["mark", 0],
});

function Body({ ref, knowsMark, version }) {
  const extensions = [StarterKit.configure({ undoRedo: false }), ...(knowsMark ? [Highlight] : [])];
  const schema = version === undefined ? undefined : toEditorSchema(getSchema(extensions), { name: "test", version });
  const { provider, isReadOnly, isSynced, schemaError } = useDocument({ ...ref, schema });
  const element = useRef(null);
  useEffect(() => {
    if (!provider) return;
    const collaboration = Collaboration.configure({ document: provider.document });
    const editor = new Editor({
      element: element.current, editable: !isReadOnly, extensions: [...extensions, collaboration],
    });
    return () => editor.destroy();
  }, [provider, isReadOnly]);
  return h("div", null,
    h("p", { role: "status" }, (isSynced ? "synced" : "opening") + (isReadOnly ? " read-only" : "")),
    h("p", { role: "alert" }, schemaError?.message),
    h("div", { ref: element }));
}

export function open({ url, token, ...body }) {
  const client = createClient({ url, getUserToken: () => token });
  const root = document.createElement("div");
  document.body.append(root);
  createRoot(root).render(
    h(ColloquyProvider, { client, organizationId: "acme", userId: "ada" }, h(Body, body)));
}
`;

interface Opened {
  knowsMark: boolean;
  /** Version of the schema of the page; undefined for a page without a guard. */
  version: number | undefined;
}

describeInBrowser("an editor that lacks a mark of the document", () => {
  let script: string;
  beforeAll(async () => {
    const versions = { ...packageJson.dependencies, ...packageJson.devDependencies };
    const versionOf = (name: string) => Object(versions)[name] ?? versions["@tiptap/extension-collaboration"];
    const others = PACKAGES.map((name) => `${name}@${versionOf(name)}`);
    const folder = await installPacked(["client", "react"], others);
    script = await bundle(folder, PAGE);
  });

  async function openEditor(workspace: TestWorkspace, opened: Opened): Promise<Page> {
    const page = await newPage();
    await page.goto(servePage(script));
    const token = await tokenFor(workspace, "ada");
    const ref = { documentId: REF.documentId, editorId: REF.editorId };
    const options = { url: service.address, token, ref, ...opened };
    await page.evaluate(`import("/script.js").then(({ open }) => open(${JSON.stringify(options)}))`);
    await page.getByText("synced").waitFor();
    return page;
  }

  /** Makes a document whose word `marked` has the mark. Returns a page of another user that has it open. */
  async function prepare(): Promise<{ workspace: TestWorkspace; other: SyncedPage; paragraph: Y.XmlElement }> {
    const workspace = await service.workspace();
    await workspace.result("/v2/workspace/domains/add", { domains: ["localhost"] });
    await addContent(workspace, { ...REF, type: "xml", contentKey: "default", data: "<paragraph>plain</paragraph>" });
    const other = await openSyncedPage(service.address, { token: await tokenFor(workspace, "grace") });
    const paragraph = other.document.getXmlFragment("default").get(0);
    if (!(paragraph instanceof Y.XmlElement)) throw new Error("The document has no paragraph.");
    return { workspace, other, paragraph };
  }

  async function mark({ other, paragraph }: { other: SyncedPage; paragraph: Y.XmlElement }): Promise<void> {
    const text = paragraph.get(0);
    if (text instanceof Y.XmlText) text.insert(0, "marked ", { highlight: {} });
    await other.saved();
  }

  const getText = async (workspace: TestWorkspace) =>
    String((await readContent(workspace, { editorId: REF.editorId })).data);

  test("without a guard, it deletes marked text for everybody, which an automatic version brings back", async () => {
    const { workspace, ...page } = await prepare();
    await mark(page);
    const organization = organizationKey(workspace.id, "acme");
    const ended = "update crdt_edits set changed_at = changed_at - 3600000 where organization_key = $1";
    await runSql(service.database, ended, [organization]);
    await addDueVersion(service.database, { ...REF, organizationKey: organization });
    const [version] = await workspace.data("/v2/crdt/versions/list", REF);
    expect(version).toMatchObject({ kind: "automatic", userIds: ["grace"] });
    expect(await getText(workspace)).toContain("marked");
    await openEditor(workspace, { knowsMark: false, version: undefined });
    await expect.poll(() => getText(workspace), EVENTUALLY).not.toContain("marked");
    await workspace.result("/v2/crdt/versions/restore", { ...REF, versionId: version?.id ?? "" });
    expect(await getText(workspace)).toContain("marked");
  });

  test("with a guard, it opens read-only and says why, and nothing is deleted", async () => {
    const { workspace, ...page } = await prepare();
    await mark(page);
    const editor = await openEditor(workspace, { knowsMark: false, version: 1 });
    await editor.getByText("its editor does not know: highlight").waitFor();
    await editor.getByText("synced read-only").waitFor();
    expect(await editor.locator(".tiptap").getAttribute("contenteditable")).toBe("false");
    await page.other.saved();
    expect(await getText(workspace)).toContain("marked plain");
  });

  test("with a guard, it becomes read-only once another user adds the mark", async () => {
    const { workspace, ...page } = await prepare();
    const editor = await openEditor(workspace, { knowsMark: false, version: 1 });
    await editor.locator(".tiptap[contenteditable=true]").click();
    await editor.keyboard.type("typed ");
    await expect.poll(() => getText(workspace), EVENTUALLY).toContain("typed");
    await mark(page);
    await editor.getByText("synced read-only").waitFor();
    expect(await getText(workspace)).toContain("marked");
  });

  test("an editor that knows the mark edits the document, and keeps older ones from it", async () => {
    const { workspace } = await prepare();
    const newer = await openEditor(workspace, { knowsMark: true, version: 2 });
    await newer.locator(".tiptap[contenteditable=true]").waitFor();
    const schema = () => workspace.data("/v2/crdt/schema/get", REF);
    await expect.poll(schema, EVENTUALLY).toMatchObject({ schema: { version: 2 } });
    const older = await openEditor(workspace, { knowsMark: false, version: 1 });
    await older.getByText("synced read-only").waitFor();
  });
});
