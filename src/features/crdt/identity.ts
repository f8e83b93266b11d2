import * as Y from "yjs";

/** Name of a shared value that tells documents apart. It has a control character, so no `contentKey` is the same. */
const NAME = "\u0001colloquy";

/**
 * Writes the identity of a new document: a deleted value of the service's own Yjs client. All pages that have the
 * document have it, also if the document was created empty.
 */
export function writeIdentity(document: Y.Doc): void {
  const identity = document.getArray(NAME);
  identity.insert(0, [null]);
  identity.delete(0, 1);
}

/** Returns the Yjs clients that wrote the identities among these structs. */
export function findIdentities(structs: readonly object[]): number[] {
  return structs.flatMap((struct) => (isIdentity(struct) ? [struct.id.client] : []));
}

/** Returns whether a struct of an update is an identity. Its parent is then a name, which the types of Yjs hide. */
function isIdentity(struct: object): struct is Y.Item {
  if (!(struct instanceof Y.Item)) return false;
  const parent: unknown = struct.parent;
  return parent === NAME;
}
