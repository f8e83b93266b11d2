import type { TSchema } from "typebox";
import type { EndUserRule } from "../../src/contract/end-user-rule.ts";

/** Members of a JSON schema that matter for types. */
export interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  required?: readonly string[];
  properties?: Record<string, JsonSchema | boolean>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  description?: string;
  title?: string;
}

/** Paths of fields in which the requests of users differ from those of backends. `*` is any further field. */
type PageFields = Record<"optional" | "required" | "absent", string[]>;

/** Returns the fields that users may leave out because the token fills them in, must send, or may not send. */
export function getPageFields(request: TSchema, rule: EndUserRule): PageFields {
  const { users = [], userIds = [] } = rule.identity ?? {};
  const filledIn = new Set([...users, ...userIds].map((path) => path.replaceAll("[]", "")));
  const fields: PageFields = { optional: [], required: [], absent: [] };
  compare(request as JsonSchema, (rule.request ?? request) as JsonSchema, "");
  return fields;

  function compare(ofBackend: JsonSchema, ofUser: JsonSchema, parent: string): void {
    const isOpen = ofUser.additionalProperties === true;
    if (ofBackend.additionalProperties === true && !isOpen) fields.absent.push(`${parent}*`);
    for (const [name, property] of Object.entries(ofBackend.properties ?? {})) {
      const path = parent + name;
      const isRequired = ofBackend.required?.includes(name) ?? false;
      const userProperty = ofUser.properties?.[name];
      if (filledIn.has(path)) {
        if (isRequired) fields.optional.push(path);
      } else if (userProperty === undefined) {
        if (!isOpen) fields.absent.push(path);
      } else {
        if (!isRequired && ofUser.required?.includes(name)) fields.required.push(path);
        const [inner, ofUserInner] = [getObject(property), getObject(userProperty)];
        if (inner && ofUserInner) compare(inner, ofUserInner, `${path}.`);
      }
    }
  }
}

/** Returns the schema of the object that a value is, has in its list, or may be. */
function getObject(schema: JsonSchema | boolean): JsonSchema | undefined {
  if (typeof schema === "boolean") return undefined;
  if (schema.type === "object") return schema;
  return [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].map(getObject).find(Boolean);
}
