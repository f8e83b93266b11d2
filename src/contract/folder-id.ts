import Type from "typebox";
import { Identifier } from "./schema.ts";

/** Reserved ID of the top level. */
export const ROOT = "root";

/** Says what is wrong with an ID that must be that of a folder, and is `root`. */
export const NOT_ROOT = "must not be root, the reserved ID of the top level";

/** ID of a folder, which the top level is not. */
export const FolderId = Type.Refine(
  Identifier,
  (id) => id !== ROOT,
  () => NOT_ROOT,
);
