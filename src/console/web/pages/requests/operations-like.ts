/** Returns the paths of operations that start like the text, or of which a part does, such as `add`. */
export function operationsLike(text: string, paths: readonly string[]): string[] {
  const search = text.trim().toLowerCase();
  return paths.filter((path) => path.startsWith(search) || path.includes(`/${search}`)).sort();
}
