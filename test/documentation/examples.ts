import type { TSchema } from "typebox";
import { ServiceError } from "../../src/contract/errors.ts";
import { compileValidation } from "../../src/http/validation.ts";
import { getBlocks } from "./markdown.ts";

/** The parts of an operation that an example request is checked against. */
interface Contract {
  path: string;
  aliases?: string[];
  request: TSchema;
}

interface Example {
  /** The first line of the request. */
  title: string;
  /** Undefined if the first line is not that of a POST. */
  path: string | undefined;
  headers: Record<string, string>;
  body: string;
  /** Whether the example shows how a request is rejected. */
  isInvalid: boolean;
  /** The text of the `json` block after the request, if there is one. */
  response: string | undefined;
}

const REQUEST_LINE = /^POST (\/\S+)$/;
const HEADER = /^([\w-]+):\s*(.*)$/;

/** Returns the requests in `http` blocks, written as HTTP writes them: request line, headers, empty line, body. */
export function getExamples(markdown: string): Example[] {
  const blocks = getBlocks(markdown);
  return blocks.flatMap(({ info, code }, index) => {
    if (!/^http\b/.test(info)) return [];
    const [head = "", ...body] = code.split("\n\n");
    const [title = "", ...fields] = head.split("\n");
    const headers = fields.map((field) => HEADER.exec(field)?.slice(1) ?? [field, ""]);
    const next = blocks[index + 1];
    return {
      title,
      path: REQUEST_LINE.exec(title)?.[1],
      headers: Object.fromEntries(headers),
      body: body.join("\n\n"),
      isInvalid: info === "http invalid",
      response: next?.info === "json" ? next.code : undefined,
    };
  });
}

/** Returns one line for each example whose request its operation would reject. */
export async function findExampleErrors(
  path: string,
  markdown: string,
  operations: readonly Contract[],
): Promise<string[]> {
  const errors: string[] = [];
  for (const example of getExamples(markdown)) {
    const error = example.isInvalid ? undefined : await findRequestError(example, operations);
    if (error !== undefined) errors.push(`${path}: ${example.title}: ${error}`);
  }
  return errors;
}

async function findRequestError({ path, body }: Example, operations: readonly Contract[]): Promise<string | undefined> {
  if (path === undefined) return "the first line must be POST and a path";
  const operation = operations.find((one) => [one.path, ...(one.aliases ?? [])].includes(path));
  return operation ? findBodyError(body, operation.request) : `there is no operation ${path}`;
}

async function findBodyError(text: string, schema: TSchema): Promise<string | undefined> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return "the body is not JSON";
  }
  try {
    await compileValidation(schema)(body);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}
