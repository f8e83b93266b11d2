import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/schema";
import type { Operation } from "../contract/operation.ts";
import { ACCEPTED } from "./answer.ts";

/** Compiles a check that throws when an answer is not what the contract promises. */
export function compileAnswerCheck(operation: Operation): (body: string | Buffer) => void {
  const validator = Compile(answerSchema(operation));
  return (body) => {
    const answer: unknown = JSON.parse(body.toString());
    if (validator.Check(answer)) return;
    const [, errors] = validator.Errors(answer);
    const faults = errors.map((error) => `${error.instancePath} ${error.message}`);
    throw new Error(`${operation.path} answered what its contract does not say: ${faults.join("; ")}`);
  };
}

/** Returns the schema of the whole body of a success. */
export function answerSchema(operation: Operation): TSchema {
  const { response, cursor, pageTokenName = "pageToken", isLastPageTokenNull, isAsynchronous } = operation;
  if (isAsynchronous) return acceptedSchema(response);
  const pageToken = isLastPageTokenNull ? Type.Union([Type.String(), Type.Null()]) : Type.Optional(Type.String());
  const token = cursor ? { [pageTokenName]: pageToken } : {};
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

function acceptedSchema(response: TSchema | undefined): TSchema {
  return Type.Object(
    {
      status: Type.Literal("success"),
      message: Type.String(),
      ...(response && { data: response }),
      statusCode: Type.Literal(ACCEPTED),
    },
    { additionalProperties: false },
  );
}
