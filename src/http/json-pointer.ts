/** Returns a name as it stands in a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns the value at a JSON pointer, or undefined. */
export function valueAt(root: object, pointer: string): unknown {
  return namesIn(pointer).reduce<unknown>((value, name) => Reflect.get(Object(value), name), root);
}

/** Returns the names in a JSON pointer such as `/activities/0/id`. */
export function namesIn(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}
