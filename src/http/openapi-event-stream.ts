import type { Operation } from "../contract/operation.ts";
import { isObject } from "../json/is-object.ts";
import { REPEATED_PARAMETERS } from "./event-stream-path.ts";
import { buildExampleResponse } from "./example-response.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";
import { type NamedSchemas, referNamed } from "./named-schemas.ts";

/** Fields of the operation that only a request for one page has. */
const FIELDS_OF_PAGES = ["waitSeconds", "pageSize"];

const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "Cursor of a client that connects again: the last `id` that it has received.",
  schema: { type: "string" },
};

const DESCRIPTION =
  "Sends the events of `/v2/events/get` as Server-Sent Events as soon as they happen. The query has the fields of " +
  "that operation. `event` is the kind of the event, `id` the cursor after it, and `data` the rest of the event as " +
  "JSON. A client that connects again sends the last `id` as `Last-Event-ID` and gets what it has missed. " +
  "`event: reset` means that some of it is no longer kept: read the records again. An idle stream gets a comment " +
  "every 15 s.\n\nA workspace may have 20,000 streams at each process, and a user 100; further ones are " +
  "RESOURCE_EXHAUSTED with the reason `too_many_streams`. A stream ends when its credentials expire or are revoked, " +
  "or its user loses a document of it.\n\nUsers who type together in one collaborative document are " +
  "connected by document sync instead, a WebSocket at `/v2/crdt/sync` that speaks the protocol of Hocuspocus.";

/** Returns the summary, parameters and success of the stream of the events that the operation reads. */
export function describeEventStream(operation: Operation, schemas: NamedSchemas) {
  return {
    summary: "Follow events as they happen",
    description: DESCRIPTION,
    parameters: [...getParameters(operation, schemas), LAST_EVENT_ID],
    success: {
      description: "The stream of events, which ends only when its connection or the caller's access does.",
      content: { "text/event-stream": { schema: { type: "string" }, example: buildExample(operation) } },
    },
  };
}

function getParameters({ request, example }: Operation, schemas: NamedSchemas): object[] {
  const { properties, required } = jsonSchema(request);
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) => {
    if (FIELDS_OF_PAGES.includes(name) || !isObject(property)) return [];
    const { description, ...schema }: JsonSchema = property;
    const value: unknown = isObject(example) ? example[name] : undefined;
    return [
      {
        ...{ name, in: "query", required: isRequired(name) },
        ...(description !== undefined && { description }),
        ...(schema.type === "array" && getStyle(name)),
        schema: referNamed(schema, schemas),
        ...(value !== undefined && { example: value }),
      },
    ];
  });
}

/** Returns how the items of a list are written. */
function getStyle(name: string): object {
  const isRepeated = REPEATED_PARAMETERS.includes(name);
  const description = isRepeated ? "Repeated for each." : "Separated by commas.";
  return { description, style: "form", explode: isRepeated };
}

/** Returns the text of a stream with the event of the operation's example response. */
function buildExample(operation: Operation): string {
  const data = operation.response && buildExampleResponse(jsonSchema(operation.response), operation);
  const events: unknown = isObject(data) ? data.events : undefined;
  const [first]: unknown[] = Array.isArray(events) ? events : [];
  if (!isObject(first)) throw new Error("The operation of the event stream has no example event.");
  const { event, cursor, ...rest } = first;
  return `retry: 2000\n\nid: ${cursor}\nevent: ${event}\ndata: ${JSON.stringify(rest)}\n\n`;
}
