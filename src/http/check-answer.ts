import Type from "typebox";
import { Compile } from "typebox/compile";
import type { Operation } from "./operation.ts";

/** Compiles a check that throws when an answer is not what the contract promises. */
export function compileAnswerCheck(operation: Operation): (body: string) => void {
  const validator = Compile(answerSchema(operation));
  return (body) => {
    const answer: unknown = JSON.parse(body);
    if (validator.Check(answer)) return;
    const faults = validator.Errors(answer).map((error) => `${error.instancePath} ${error.message}`);
    throw new Error(`${operation.path} answered what its contract does not say: ${faults.join("; ")}`);
  };
}

/** The whole body of a success. */
export function answerSchema({ response, cursor, pageTokenName }: Operation) {
  const token = cursor ? { [pageTokenName ?? "pageToken"]: Type.Optional(Type.String()) } : {};
  return Type.Object({
    result: Type.Object(
      {
        status: Type.Literal("success"),
        message: Type.String(),
        ...(response && { data: response }),
        ...token,
      },
      { additionalProperties: false },
    ),
  });
}
