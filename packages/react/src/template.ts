import type { Texts } from "./texts.tsx";

/** Returns a text in which `{name}` and `{{name}}` are replaced by values, and by the names of objects. */
export function fillTemplate(template: string, values: { [name: string]: unknown } | null | undefined): string {
  return template.replace(
    /\{\{?\s*(\w+)\s*\}\}?/g,
    (placeholder, name: string) => textOf(values?.[name]) ?? placeholder,
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const field of ["name", "displayName", "text", "email", "userId", "id"]) {
    const text: unknown = Reflect.get(value, field);
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

/** Returns the name to show for a user. */
export function nameOf(
  user: { userId: string; name?: string } | undefined,
  { deletedUser }: Pick<Texts, "deletedUser">,
): string {
  return user?.name || user?.userId || deletedUser;
}
