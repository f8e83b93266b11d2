import Type, { type Static } from "typebox";
import { Identifier } from "../../../contract/schema.ts";

const Names = Type.Array(Identifier, { maxItems: 1_000 });

const fields = {
  name: Identifier,
  version: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [3] }),
  nodes: Names,
  marks: Names,
};

/** Schema of the editors of a collaborative document. */
export const EditorSchema = Type.Object(fields, { title: "EditorSchema" });

/** A schema in a request, which has no further fields. */
export const NewEditorSchema = Type.Object(fields, { title: "NewEditorSchema" });

export type EditorSchema = Static<typeof EditorSchema>;
