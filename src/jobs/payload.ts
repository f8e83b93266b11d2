import type { Static, TObject } from "typebox";
import { Check, Errors } from "typebox/schema";

/** The queue of one kind of job, with the schema of its payload. */
export interface JobDefinition<Payload extends TObject = TObject> {
  /** Name of the queue: letters, digits and hyphens. */
  name: string;
  /** A field that a new version adds must be optional, since jobs of the version before may still be queued. */
  payload: Payload;
  /** Longest time between two attempts. Jobs that take minutes need a short one, as restarts interrupt them often. */
  longestRetryDelaySeconds?: number;
}

/** Throws an error that names the invalid fields, without their values, if the payload does not match its schema. */
export function assertPayload<Payload extends TObject>(
  { name, payload: schema }: JobDefinition<Payload>,
  payload: unknown,
): asserts payload is Static<Payload> {
  if (Check(schema, payload)) return;
  const [, errors] = Errors(schema, payload);
  const messages = errors.map(({ instancePath, message }) => `${instancePath || "the payload"} ${message}`);
  throw new Error(`the payload of a ${name} job does not match its schema: ${messages.join("; ")}`);
}
