import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { invalidField } from "../contract/errors.ts";
import type { EventFollower } from "../contract/event-reading.ts";
import type { AuthenticatedOperation, Context } from "../contract/operation.ts";
import { EVENT_STREAM_PATH, REPEATED_PARAMETERS } from "./event-stream-path.ts";
import { findCaller } from "./find-caller.ts";
import { OpenStream, type StreamedPage, type StreamOptions } from "./open-stream.ts";
import type { OpenStreams } from "./open-streams.ts";
import { buildContext, type OperationRoutesOptions } from "./operation-routes.ts";
import { getParameters, getQuery } from "./query.ts";
import { getWorkspace, RequestChecks } from "./request-checks.ts";
import { admit, releaseLimits } from "./request-limits.ts";

/** The operation that reads events, and what goes on reading for a request of it. */
export interface EventSource extends Pick<StreamOptions, "limits"> {
  operation: AuthenticatedOperation;
  /** Begins to follow the events of a request. Its caller is checked when a step says so. */
  follow(context: Context, data: object): EventFollower<StreamedPage>;
  /** Called when a stream opens. Returns a function to call when it has closed. */
  opened(context: Context, data: object): () => void;
}

/**
 * Adds the stream of events (Server-Sent Events). The query has the fields of a request of the operation, and
 * `Last-Event-ID` the cursor of a client that connects again.
 */
export function addEventStream(
  server: FastifyInstance,
  { operation, follow, opened, limits }: EventSource,
  options: OperationRoutesOptions & { openStreams: OpenStreams },
): void {
  const checks = new RequestChecks(operation, options.findRoles);
  const withoutRates = { ...options, rates: undefined };
  const streamOptions: StreamOptions = {
    limits,
    log: options.log,
    closing: server.closing,
    checkCaller: async ({ request, reply, data }, checksAccess) => {
      await findCaller({ request, reply, operation }, withoutRates);
      if (checksAccess) await checks.authorize(request, data);
    },
  };

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await admit(request, options.admission);
    const data = checks.validate(request, { data: getFields(request) });
    if (request.user) await checks.authorize(request, data);
    // A stream that waits until the log is written is counted already.
    const context = buildContext({ request, reply, operation }, { ...options, openStreams: undefined });
    // Each step finds the caller again, with the present settings of the workspace.
    Object.defineProperty(context, "workspace", { enumerable: true, get: () => getWorkspace(request) });
    const leave = options.openStreams.enter(context.workspace, context.user);
    let follower: EventFollower<StreamedPage> | undefined;
    let closed = leave;
    try {
      follower = follow(context, data);
      // An invalid request gets the response of any operation. The first page does not wait for events, so that a
      // client that resumes soon knows that it is connected.
      const first = (await follower.next())?.page ?? follower.emptyPage();
      releaseLimits(request);
      const ended = opened(context, data);
      closed = () => {
        ended();
        leave();
      };
      // Fastify forgets the request, to which the stream responds from here on.
      new OpenStream(streamOptions, { request, reply, data }, { follower, first, closed });
    } catch (error) {
      follower?.end();
      closed();
      throw error;
    }
    return reply;
  }

  server.route({
    method: "GET",
    url: EVENT_STREAM_PATH,
    exposeHeadRoute: false,
    config: { operation },
    onRequest: (request, reply) => findCaller({ request, reply, operation }, options),
    handler: handle,
  });
}

/** Returns the fields of the request in the query and the header. */
function getFields({ url, headers }: FastifyRequest): object {
  const query = getParameters(getQuery(url), REPEATED_PARAMETERS);
  for (const name of ["waitSeconds", "pageSize"]) {
    if (query.has(name)) throw invalidField(`data.${name}`, "is not a parameter of the stream");
  }
  const { kinds, inbox, activities, presenceData, ...fields } = Object.fromEntries(query);
  const lastEventId = headers["last-event-id"];
  return {
    ...fields,
    ...(query.has("documentIds") && { documentIds: query.getAll("documentIds") }),
    ...(kinds !== undefined && { kinds: kinds.split(",") }),
    ...(inbox !== undefined && { inbox: inbox === "true" || inbox }),
    ...(activities !== undefined && { activities: activities === "true" || activities }),
    ...(presenceData !== undefined && { presenceData: presenceData === "true" || presenceData }),
    ...(typeof lastEventId === "string" && lastEventId !== "" && { cursor: lastEventId }),
  };
}
