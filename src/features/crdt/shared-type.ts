import Type, { type Static } from "typebox";

export const SharedType = Type.Enum(["text", "map", "array", "xml"], {
  description: "Type of the content in the Yjs document: Y.Text, Y.Map, Y.Array or Y.XmlFragment.",
});
export type SharedType = Static<typeof SharedType>;
