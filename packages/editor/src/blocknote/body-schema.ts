/** What the bodies of comments may have, by name: the specs of a schema of BlockNote. */
export interface BodySchema {
  blockSpecs: object;
  inlineContentSpecs: object;
  styleSpecs: object;
}

/** Schema of BlockNote's editors of comments, unless a page gives them another one. */
export const DEFAULT_SCHEMA: BodySchema = {
  blockSpecs: { paragraph: {} },
  inlineContentSpecs: { text: {}, link: {} },
  styleSpecs: { bold: {}, italic: {}, underline: {}, strike: {}, code: {} },
};

/** Maximum depth of blocks within others. */
const MAX_DEPTH = 10;

/**
 * Returns whether an editor with this schema can show a body. It would throw otherwise, and take down the page: other
 * users can store anything as a body.
 */
export function isBody(body: unknown, schema: BodySchema): boolean {
  return Array.isArray(body) && body.length > 0 && body.every((block) => isBlock(block, schema, 0));
}

function isBlock(block: unknown, schema: BodySchema, depth: number): boolean {
  if (!isRecord(block) || depth > MAX_DEPTH) return false;
  const { id = "", type, props = {}, content = [], children = [] } = block;
  const areBlocks = Array.isArray(children) && children.every((child) => isBlock(child, schema, depth + 1));
  const isKnown = isNamed(schema.blockSpecs, type) && typeof id === "string" && areSimple(props);
  return isKnown && areBlocks && areInlines(content, schema);
}

function areInlines(content: unknown, schema: BodySchema): boolean {
  return typeof content === "string" || (Array.isArray(content) && content.every((inline) => isInline(inline, schema)));
}

function isInline(inline: unknown, schema: BodySchema): boolean {
  if (!isRecord(inline)) return false;
  const { type, text, styles = {}, href, content = [], props = {} } = inline;
  if (!isNamed(schema.inlineContentSpecs, type)) return false;
  const texts: BodySchema = { ...schema, inlineContentSpecs: { text: {} } };
  switch (type) {
    case "text":
      return (
        typeof text === "string" &&
        areSimple(styles) &&
        Object.keys(styles).every((name) => isNamed(schema.styleSpecs, name))
      );
    case "link":
      return typeof href === "string" && areInlines(content, texts);
    default:
      return areSimple(props) && areInlines(content, texts);
  }
}

function isNamed(specs: object, name: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(specs, name);
}

/** Returns whether a value is an object of strings, numbers and switches. */
function areSimple(fields: unknown): fields is object {
  return isRecord(fields) && Object.values(fields).every((value) => !isRecord(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
