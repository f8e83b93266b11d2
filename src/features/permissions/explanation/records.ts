import type { EffectiveGrant } from "../../access/access-queries.ts";
import type { ExplainedResource } from "./permission-explanation-queries.ts";

type ResourceType = "organization" | "folder" | "document";

/** Returns the name as a field, unless it is missing or empty. */
function nameField(name: unknown): { name?: string } {
  return typeof name === "string" && name !== "" ? { name } : {};
}

/** Returns a function that adds the ID of the organization, and the name, to a resource that the explanation names. */
export function buildNaming(organizationId: string, resource: ExplainedResource) {
  const folders = new Map(resource.folderRecords);
  return <Type extends ResourceType>({ type, id }: { type: Type; id: string }) => {
    if (type === "organization") {
      return { type, id: organizationId, ...nameField(resource.organizationRecord?.organizationName) };
    }
    const name = type === "folder" ? folders.get(id)?.folderName : resource.documentRecord?.documentName;
    return { type, id, ...nameField(name) };
  };
}

interface UserRow {
  userId: string;
  /** Resource of the grant that decides. */
  type: ResourceType;
  id: string;
  grant: EffectiveGrant;
  /** Record of the user, if there is one. */
  record: { name?: string; email?: string } | null;
}

/** Converts the text of the rows to users who have access. */
export function readUsers(records: string, named: ReturnType<typeof buildNaming>) {
  return readRows(records).map(({ userId, type, id, grant: { accessRole, expiresAt }, record }) => ({
    userId,
    ...nameField(record?.name),
    ...(record?.email && { email: record.email }),
    accessRole,
    through: named({ type, id }),
    ...(expiresAt !== undefined && { expiresAt }),
  }));
}

/** Parses rows; the cast holds because the service has written the texts. */
function readRows(records: string): UserRow[] {
  return JSON.parse(records) as UserRow[];
}
