import Type, { type Static } from "typebox";

export const EditorType = Type.Enum(["text", "map", "array", "xml"], {
  description: "Type of the content in the Yjs document: Y.Text, Y.Map, Y.Array or Y.XmlFragment.",
});
export type EditorType = Static<typeof EditorType>;
