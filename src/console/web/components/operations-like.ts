/** The paths of the OpenAPI document. An alias has the path of its operation. */
export type OperationPaths = Readonly<Record<string, { post?: { "x-alias-of"?: string } }>>;

/**
 * Returns the operations of which a path starts like the text, or a part of a path does, such as `add`. The request log
 * has no aliases, so they find the path of their operation.
 */
export function operationsLike(text: string, paths: OperationPaths): string[] {
  const search = text.trim().toLowerCase();
  const found = Object.keys(paths).filter((path) => path.startsWith(search) || path.includes(`/${search}`));
  return [...new Set(found.map((path) => withoutAlias(path, paths)))].sort();
}

/** Returns the operation that a text stands for: that of the path, or else the first one that is like it, if any. */
export function getOperation(text: string, paths: OperationPaths): string | undefined {
  return Object.hasOwn(paths, text) ? withoutAlias(text, paths) : operationsLike(text, paths)[0];
}

function withoutAlias(path: string, paths: OperationPaths): string {
  return paths[path]?.post?.["x-alias-of"] ?? path;
}
