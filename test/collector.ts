import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { registerCleanup } from "./cleanup.ts";

interface Value {
  stringValue?: string;
  intValue?: number;
  doubleValue?: number;
}

interface Attribute {
  key: string;
  value: Value;
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  /** W3C `tracestate` of the trace. */
  traceState?: string;
  attributes: Attribute[];
  status: { code: number };
}

interface Point {
  attributes: Attribute[];
  asDouble?: number;
  count?: number;
  bucketCounts?: number[];
  explicitBounds?: number[];
}

interface SentMetric {
  name: string;
  sum?: { dataPoints: Point[] };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
}

/** What an exporter sends, in JSON. */
interface Export {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: SentMetric[] }[] }[];
}

/** A span with its attributes by name. */
export interface Span extends Omit<SentSpan, "attributes"> {
  attributes: Record<string, string | number | undefined>;
}

/** A collector of traces and metrics by OTLP over HTTP, until the end of the test or file. */
export class Collector {
  /** Bodies of the exports as they were sent. */
  readonly bodies: string[] = [];
  readonly headers: NodeJS.Dict<string | string[]>[] = [];
  readonly endpoint: string;

  private constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  /** Starts a collector. One that is silent accepts exports and never responds to them. */
  static async start({ isSilent = false } = {}): Promise<Collector> {
    const server = createServer(async (request, response) => {
      collector.headers.push(request.headers);
      collector.bodies.push(await text(request));
      if (!isSilent) response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    registerCleanup(() => {
      server.close();
      server.closeAllConnections();
    });
    const collector = new Collector(`http://127.0.0.1:${getAddress(server.address()).port}`);
    return collector;
  }

  get spans(): Span[] {
    return this.#exports
      .flatMap(({ resourceSpans = [] }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
      .flatMap(({ spans }) => spans.map((span) => ({ ...span, attributes: byName(span.attributes) })));
  }

  get metrics(): SentMetric[] {
    return this.#exports
      .flatMap(({ resourceMetrics = [] }) => resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics))
      .flatMap(({ metrics }) => metrics);
  }

  /** Attributes of the process that sends. */
  get resource(): Record<string, string | number | undefined> {
    return byName(this.#exports.flatMap(({ resourceSpans = [] }) => resourceSpans)[0]?.resource.attributes ?? []);
  }

  get #exports(): Export[] {
    return this.bodies.map((body) => JSON.parse(body));
  }
}

export function byName(attributes: Attribute[]): Record<string, string | number | undefined> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue]),
  );
}

function getAddress(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the collector does not listen on a port");
  return address;
}
