import { Compile } from "typebox/schema";
import type { Operation } from "../contract/operation.ts";
import { buildResponseSchema } from "./response-schema.ts";

/** Compiles a check that throws when a response does not match the contract. */
export function compileResponseCheck(operation: Operation): (body: string | Buffer) => void {
  const validator = Compile(buildResponseSchema(operation, { additionalProperties: false }));
  return (body) => {
    const response: unknown = JSON.parse(body.toString());
    if (validator.Check(response)) return;
    const [, errors] = validator.Errors(response);
    const messages = errors.map((error) => `${error.instancePath} ${error.message}`);
    throw new Error(`the response of ${operation.path} does not match its contract: ${messages.join("; ")}`);
  };
}
