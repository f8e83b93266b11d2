export { toEditorSchema } from "@colloquy/client/schema";
export { type BlockNoteCommentsOptions, blockNoteComments } from "./blocknote/extension.ts";
export { ColloquyThreadStore, type ThreadStoreOptions } from "./blocknote/thread-store.ts";
