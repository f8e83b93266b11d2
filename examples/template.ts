/** Returns a text in which `{name}` and `{{name}}` are replaced by values, and by the names of users. */
export function fillTemplate(template: string | null | undefined, values: object | null | undefined): string {
  const given = new Map<string, unknown>(Object.entries(values ?? {}));
  return (template ?? "").replace(/\{\{?(\w+)\}\}?/g, (placeholder, name: string) => {
    const value = given.get(name);
    const text = typeof value === "object" && value !== null && "name" in value ? value.name : value;
    return text === undefined ? placeholder : String(text);
  });
}
