/** What a template belongs to. */
type TemplateKind = "activity" | "notification";

/** Placeholders of templates, which packages/react fills the same way: `{{name}}` in activities, `{name}` otherwise. */
const PLACEHOLDERS: Record<TemplateKind, RegExp> = { activity: /\{\{([^{}]+)\}\}/g, notification: /\{([^{}]+)\}/g };

/** Returns a template with its placeholders filled in, showing objects by name. Keeps placeholders without data. */
export function fillTemplate(kind: TemplateKind, template: string, data: object): string {
  const values = new Map<string, unknown>(Object.entries(data));
  return template.replaceAll(PLACEHOLDERS[kind], (placeholder, spaced: string) => {
    const name = spaced.trim();
    return values.has(name) ? displayText(values.get(name)) : placeholder;
  });
}

/** Returns the names of a template's placeholders. */
export function placeholdersIn(kind: TemplateKind, template: string): string[] {
  return [...template.matchAll(PLACEHOLDERS[kind])].map(([, name = ""]) => name.trim());
}

/** Returns the text to show for a value: an object's name if it has one, else JSON. */
export function displayText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  for (const name of ["name", "displayName", "text", "email", "userId", "id"]) {
    const text: unknown = Reflect.get(value, name);
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return JSON.stringify(value);
}

/** Returns the name of a record, or its ID if there is none to see. */
export function nameOrId(name: string | undefined, id: string): string {
  return name?.trim() ? name : id;
}

/** Returns the name of a user, or else their email, or else their ID. */
export function userLabel({ userId, name, email }: { userId: string; name?: string; email?: string }): string {
  return nameOrId(name, nameOrId(email, userId));
}
