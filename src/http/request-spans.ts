import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Span, Telemetry, TraceContext } from "../telemetry/telemetry.ts";
import { isServerError } from "./request-log.ts";

declare module "fastify" {
  interface FastifyRequest {
    span?: Span;
  }
}

/**
 * Makes each request of an operation a span, in the trace of its caller if it names one. Attributes are the path, the
 * status and the request ID: nothing of the body, the credentials or the address. Register it before other hooks.
 */
export function traceRequests(server: FastifyInstance, telemetry: Telemetry): void {
  server.decorateRequest("span");
  server.addHook("onRequest", (request, reply, done) => {
    const { method, routeOptions } = request;
    const { url: path, config } = routeOptions;
    if (!config.operation || path === undefined) return done();
    const attributes = { "http.request.method": method, "http.route": path, "colloquy.request_id": request.id };
    const start = { kind: "request", name: `${method} ${path}`, attributes } as const;
    const span = telemetry.startTrace(start, getTraceContext(request.headers));
    request.span = span;
    // The event also follows a lost connection.
    reply.raw.once("close", () => {
      if (!reply.raw.writableFinished) return span.end({}, "connection_lost");
      const { outcome: status } = request;
      const { statusCode: httpStatus } = reply.raw;
      const result = { "http.response.status_code": httpStatus, "colloquy.status": status };
      span.end(result, isServerError({ status, httpStatus }) ? status : undefined);
    });
    span.run(done);
  });
  // Reading the body has left the span.
  server.addHook("preValidation", (request, _reply, done) => {
    if (request.span) request.span.run(done);
    else done();
  });
}

/** Returns the trace context that the caller has sent. Node.js joins repeated headers by commas. */
function getTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext {
  return {
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    ...(typeof tracestate === "string" ? { tracestate } : {}),
  };
}
