const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** Puts data in place of `{{name}}`; people and things are called by their name. What has no data stays as it is. */
export function fillTemplate(template: string, data: object | null | undefined): string {
  const values = new Map<string, unknown>(Object.entries(data ?? {}));
  return template.replaceAll(PLACEHOLDER, (placeholder, name: string) =>
    values.has(name) ? displayText(values.get(name)) : placeholder,
  );
}

/** A value as people are shown it: what has a name by that. */
export function displayText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  for (const name of ["name", "displayName", "text", "email", "userId", "id"]) {
    const called: unknown = Reflect.get(value, name);
    if (typeof called === "string" && called !== "") return called;
  }
  return JSON.stringify(value);
}

/** What a person is called; their id where nothing better is known. */
export function userLabel({ userId, name, email }: { userId: string; name?: string; email?: string }): string {
  return name || email || userId;
}
