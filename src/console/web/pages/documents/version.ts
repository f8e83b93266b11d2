import type { Item } from "../../api/call.ts";
import type { Editor } from "../../api/records.ts";
import { exactTime } from "../../components/exact-time.ts";

export type Version = Item<"/v2/crdt/versions/list">;

/** What names a collaborative document. */
export interface EditorRef {
  organizationId: string;
  documentId: string;
  editorId: string;
}

/** Returns the name of a version, or what stands for the name of an automatic one. */
export function getVersionName({ name, createdAt }: Version): string {
  return name ?? `Automatic version of ${exactTime(createdAt)}`;
}

/** Returns the content of a collaborative document, or of a version of it, as text. */
export function getSource({ data }: Pick<Editor, "data">): string {
  return typeof data === "string" ? data : JSON.stringify(data, null, 2);
}
