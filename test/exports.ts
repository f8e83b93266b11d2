import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyFolder } from "./command-line.ts";
import type { TestWorkspace } from "./harness.ts";

/** Line of an export. */
export type Line = Record<string, unknown>;

/** Writes lines to a file that is deleted at the end of the test. Texts are written as they are. */
export async function writeExport(lines: (Line | string)[]): Promise<string> {
  const file = join(await emptyFolder(), "export.ndjson");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  await writeFile(file, texts.map((text) => `${text}\n`).join(""));
  return file;
}

/** Reads everything of a workspace by the get operations, as the documentation of imports shows. */
export async function exportWorkspace(workspace: TestWorkspace): Promise<Line[]> {
  const organizations = await workspace.data("/v2/organizations/get", {});
  const lines: Line[] = [{ organizations }];
  for (const { id: organizationId } of organizations) {
    const scope = { organizationId };
    const documents = await workspace.data("/v2/organizations/documents/get", scope);
    const folders = await workspace.data("/v2/organizations/folders/get", scope);
    lines.push({ ...scope, folders });
    for (const { folderId } of folders) {
      const place = { ...scope, folderId };
      lines.push({ ...place, users: await workspace.data("/v2/users/get", place) });
    }
    lines.push(
      { ...scope, documents },
      { ...scope, users: await workspace.data("/v2/users/get", scope) },
      { ...scope, organizationUserGroups: await workspace.data("/v2/organizations/usergroups/get", scope) },
    );
    for (const { id: documentId } of documents) {
      const place = { ...scope, documentId };
      const ordered = { ...place, order: "asc" as const };
      lines.push(
        { ...place, users: await workspace.data("/v2/users/get", place) },
        { commentAnnotations: await workspace.data("/v2/commentannotations/get", ordered) },
        { notifications: await workspace.data("/v2/notifications/get", ordered) },
      );
    }
    lines.push({ activities: await workspace.data("/v2/activities/get", { ...scope, order: "asc" }) });
  }
  return lines;
}

/** Fields that only the service sets, so that an import does not take them over. */
const OWN_FIELDS = ["apiKey", "lastActivity", "reactionAnnotationIds"];

/** Returns an export without the fields that differ between two workspaces with the same content. */
export function comparable(value: unknown, isFolder = false): unknown {
  if (Array.isArray(value)) return value.map((each) => comparable(each, isFolder));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const isOwn =
        OWN_FIELDS.includes(name) ||
        (isFolder && ["createdAt", "lastUpdated"].includes(name)) ||
        (name === "annotationId" && "fromUsers" in value);
      return isOwn ? [] : [[name, comparable(field, name === "folders")]];
    }),
  );
}
