import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import { ServiceError } from "../../src/contract/errors.ts";
import { compileValidation } from "../../src/http/validation.ts";
import { blocksOf } from "./markdown.ts";

/** The parts of an operation that an example request is checked against. */
interface Contract {
  path: string;
  aliases?: string[];
  request: TSchema;
}

const REQUEST_LINE = /^POST (\/\S+)$/;

/** Returns one line for each `http` block whose request its operation would refuse. Skips `http invalid` blocks. */
export function exampleFaults(path: string, markdown: string, operations: readonly Contract[]): string[] {
  return blocksOf(markdown, "http").flatMap((request) => {
    const fault = requestFault(request, operations);
    return fault === undefined ? [] : [`${path}: ${request.split("\n", 1)[0]}: ${fault}`];
  });
}

/** A request is written as HTTP writes it: request line, headers, empty line, body. */
function requestFault(request: string, operations: readonly Contract[]): string | undefined {
  const [head = "", ...rest] = request.split("\n\n");
  const path = REQUEST_LINE.exec(head.split("\n", 1)[0] ?? "")?.[1];
  if (path === undefined) return "the first line must be POST and a path";
  const operation = operations.find((one) => [one.path, ...(one.aliases ?? [])].includes(path));
  return operation ? bodyFault(rest.join("\n\n"), operation.request) : `there is no operation ${path}`;
}

function bodyFault(text: string, schema: TSchema): string | undefined {
  let body: { data?: unknown };
  try {
    body = JSON.parse(text);
  } catch {
    return "the body is not JSON";
  }
  try {
    const accepted = compileValidation(schema)(structuredClone(body));
    return isDeepStrictEqual(accepted, body.data ?? {}) ? undefined : "the operation ignores some of the fields";
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}
