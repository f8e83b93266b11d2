import * as Y from "yjs";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

export interface EditorRecord {
  id: string;
  data: unknown;
  type: string;
  contentKey: string;
  lastUpdate: string;
  lastUpdatedBy: string | null;
  sessionId: string | null;
  state?: string;
}

/** Where a test writes that does not care where. */
export const EDITOR = { ...SCOPE, editorId: "clause-3" };

export function addEditor(workspace: TestWorkspace, fields: object): Promise<unknown> {
  return workspace.result("/v2/crdt/add", { ...EDITOR, ...fields });
}

export function updateEditor(workspace: TestWorkspace, fields: object): Promise<unknown> {
  return workspace.result("/v2/crdt/update", { ...EDITOR, ...fields });
}

/** The editors of the document, or the one that `filters` names. */
export function readEditors(workspace: TestWorkspace, filters: object = {}): Promise<EditorRecord[]> {
  return workspace.data("/v2/crdt/get", { ...SCOPE, ...filters });
}

export async function readEditor(workspace: TestWorkspace, filters: object = {}): Promise<EditorRecord> {
  const [editor] = await readEditors(workspace, { editorId: EDITOR.editorId, includeState: true, ...filters });
  if (!editor) throw new Error("the editor does not exist");
  return editor;
}

/** A plain Yjs client that has loaded the state that the service keeps. */
export async function openEditor(workspace: TestWorkspace, filters: object = {}): Promise<Y.Doc> {
  const { state } = await readEditor(workspace, filters);
  const document = new Y.Doc();
  Y.applyUpdate(document, stateOf(state));
  return document;
}

/** Lets the client take over what the service keeps, as its provider would. */
export async function receive(document: Y.Doc, workspace: TestWorkspace, filters: object = {}): Promise<void> {
  Y.applyUpdate(document, stateOf((await readEditor(workspace, filters)).state));
}

function stateOf(base64: string | undefined): Uint8Array {
  return Buffer.from(base64 ?? "", "base64");
}
