import { hash } from "node:crypto";
import type { Queryable } from "../../../database/statement.ts";
import { type EditorRef, notifyEditors } from "./queries.ts";

/** What a process tells the others; `from` is empty if it is for all processes. */
export type News =
  /** Editors whose log or state has changed. */
  | { from: string; changed: string[] }
  /** Cursors and names: the part from `start` of an awareness update in Base64, by its number among those of `from`. */
  | { from: string; key: string; update: number; awareness: string; start: number; isLast: boolean }
  /** Asks for the cursors and names of an editor. */
  | { from: string; key: string; asks: true };

/** Returns a short name of an editor that no other editor has, of any workspace. */
export function keyOfEditor({ organizationKey, documentId, editorId }: EditorRef): string {
  return hash("sha256", JSON.stringify([organizationKey, documentId, editorId]), "base64url").slice(0, 22);
}

/** Tells all processes that an editor has changed, after the commit of the change. */
export async function announceEditor(database: Queryable, editor: EditorRef): Promise<void> {
  const news: News = { from: "", changed: [keyOfEditor(editor)] };
  await database.run(notifyEditors(JSON.stringify(news)));
}
