import Type from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { addFolders } from "../documents/folders/add.ts";
import { MAX_FOLDERS, NewFolder } from "../documents/folders/folder.ts";
import { importKind, type Outcome } from "./import-kind.ts";

/** Folders. A batch holds all of a line, so that parents may follow their children. */
export const folders = importKind({
  belongsTo: "organization",
  batchSize: MAX_FOLDERS,
  schema: Type.Interface([NewFolder], { accessType: Type.Optional(AccessType) }),
  convert({ organizationId, apiKey: _a, createdAt: _c, lastUpdated: _l, ancestors: _n, ...record }) {
    const { inheritAccessFromParent, accessType, ...item } = record;
    const isOwn = accessType !== undefined && inheritAccessFromParent !== true;
    return { organizationId, item: { ...item, ...(isOwn && { accessType }) } };
  },
  async write({ operations }, { organizationId, items }) {
    const results = await operations.call(addFolders, { organizationId, folders: items.map(({ item }) => item) });
    return items.map(({ item }): Outcome => {
      const result = results[item.folderId];
      if (result?.code === "already-exists") return "existed";
      return result?.success ? "added" : { rejected: result?.message ?? "The folder was not added." };
    });
  },
});
