import Type, { type Static } from "typebox";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import { AccessType } from "../../../contract/access-type.ts";
import { ServiceError } from "../../../contract/errors.ts";
import { FolderId, ROOT } from "../../../contract/folder-id.ts";
import { Identifier, ItemResult } from "../../../contract/schema.ts";

/** Maximum number of levels of folders. */
export const MAX_DEPTH = 32;
/** Maximum number of folders in an organization, so that one response can hold all of them. */
export const MAX_FOLDERS = RECORD_LIMITS.folders;

export const NewFolder = Type.Object({
  folderId: FolderId,
  folderName: Type.Optional(Type.String({ maxLength: 256, description: "Empty until it is set." })),
  parentFolderId: Type.Optional(Identifier),
});

/** Outcome of one folder. `code` says why it failed. */
export const FolderResult = Type.Interface(
  [ItemResult],
  {
    id: Type.String({ description: "ID of the folder." }),
    code: Type.Optional(Type.Enum(["already-exists", "not-found", "failed-precondition"])),
  },
  { title: "FolderResult" },
);
export type FolderResult = Static<typeof FolderResult>;

const Time = Type.Integer({ description: "Milliseconds since the epoch." });

const FOLDER_FIELDS = {
  folderId: Type.String(),
  folderName: Type.String(),
  organizationId: Type.String(),
  parentFolderId: Type.String({ description: "`root` at the top level." }),
  apiKey: Type.String(),
  createdAt: Time,
  lastUpdated: Time,
  ancestors: Type.Array(Type.String(), { description: "IDs of its ancestors, outermost first, starting with `root`." }),
  accessType: AccessType,
  inheritAccessFromParent: Type.Boolean({ description: "Whether it has no access type of its own." }),
};

/** A folder with the folders in it. */
export interface Folder extends Static<ReturnType<typeof Type.Object<typeof FOLDER_FIELDS>>> {
  subFolders?: Folder[];
}

const NESTED_FOLDER_EXAMPLE = {
  folderId: "drafts",
  folderName: "Drafts",
  organizationId: "acme",
  parentFolderId: "contracts",
  apiKey: "colloquy_key_0123456789abcdef0123456789abcdef",
  createdAt: 1_795_512_600_000,
  lastUpdated: 1_795_512_600_000,
  ancestors: ["root", "contracts"],
  accessType: "organizationPrivate",
  inheritAccessFromParent: true,
};
const FOLDER_EXAMPLE = {
  ...NESTED_FOLDER_EXAMPLE,
  folderId: "contracts",
  folderName: "Contracts",
  parentFolderId: "root",
  ancestors: ["root"],
  inheritAccessFromParent: false,
  subFolders: [NESTED_FOLDER_EXAMPLE],
};

export const Folder = Type.Object(
  {
    ...FOLDER_FIELDS,
    subFolders: Type.Optional(
      Type.Unsafe<Folder[]>(
        Type.Array(Type.Object({}, { additionalProperties: true }), {
          description:
            "The folders directly in it, of the same shape. Missing if there are none, and at the last level.",
        }),
      ),
    ),
  },
  { title: "Folder", examples: [FOLDER_EXAMPLE] },
);

/** Returns a folder's ID as a column holds it: null for the top level. */
export function storedFolderId(folderId: string | undefined): string | null {
  return folderId === undefined || folderId === ROOT ? null : folderId;
}

/** Returns the folder of a filter as a column holds it; undefined without the filter. */
export function storedFolderFilter(folderId: string | undefined): string | null | undefined {
  return folderId === undefined ? undefined : storedFolderId(folderId);
}

/** Returns the error about a folder that does not exist. */
export function folderNotFound(folderId: string): ServiceError {
  return new ServiceError("not_found", `Folder ${JSON.stringify(folderId)} does not exist.`);
}
