import type { Static, TSchema } from "typebox";
import type { Contract, Data, Operation, OperationPath } from "./operation.ts";

/** A request as a caller may write it. Optional fields may be undefined, because JSON omits them. */
type Sent<Request> = {
  [Field in keyof Request]: Request[Field] | (object extends Pick<Request, Field> ? undefined : never);
};

/** Types of `data` in the request and the response of each listed operation, by path. */
export type ApiOf<Listed extends readonly Operation[]> = {
  [Each in Listed[number] as Each["path"]]: {
    request: Sent<Static<Each["request"]>>;
    response: Each extends Contract<OperationPath, TSchema, infer Response> ? Data<Response> : never;
  };
};
