import { Compile } from "typebox/schema";
import type { Operation } from "../contract/operation.ts";
import { answerSchema } from "./answer-schema.ts";

/** Compiles a check that throws when an answer is not what the contract promises. */
export function compileAnswerCheck(operation: Operation): (body: string | Buffer) => void {
  const validator = Compile(answerSchema(operation, { additionalProperties: false }));
  return (body) => {
    const answer: unknown = JSON.parse(body.toString());
    if (validator.Check(answer)) return;
    const [, errors] = validator.Errors(answer);
    const faults = errors.map((error) => `${error.instancePath} ${error.message}`);
    throw new Error(`${operation.path} answered what its contract does not say: ${faults.join("; ")}`);
  };
}
