/** Facts about a span. They say what kind of work it was, never whose data it concerned. */
export type Attributes = Record<string, string | number>;

/** What a span measures. */
export interface SpanStart {
  kind: "request" | "statement" | "job" | "mail" | "webhook";
  name: string;
  attributes?: Attributes;
}

/** A span that has started and is part of a trace. */
export interface Span {
  /** Runs work whose spans are parts of this one. */
  run<Result>(work: () => Result): Result;
  /** Ends the span, which has failed if there is a type of error. */
  end(attributes?: Attributes, errorType?: string): void;
}

/** Describes an error by its code or class. Its message may quote data. */
export function getErrorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.constructor.name;
}

/** W3C trace context: the headers by which one process continues the trace of another. */
export interface TraceContext {
  traceparent?: string;
  /** What tracing systems add to the trace; absent without a `traceparent`. */
  tracestate?: string;
}

/** A metric as prom-client describes it. */
export interface Metric {
  name: string;
  help: string;
  type: unknown;
  values: readonly { metricName?: string; labels: object; value: number }[];
}

/**
 * Traces and metrics of this process. It exists only if a collector is configured, and loads the packages of
 * OpenTelemetry only then, so that others pay nothing for it.
 */
export interface Telemetry {
  /** Starts a span that continues the trace of the context, or begins one. */
  startTrace(span: SpanStart, context?: TraceContext): Span;
  /** Measures work as a part of the running span. Only runs the work if there is none, as on a timer. */
  measure<Result>(
    span: SpanStart,
    work: () => Promise<Result>,
    getAttributes?: (result: Result) => Attributes,
  ): Promise<Result>;
  /** Context of the running span, for work that continues its trace later or elsewhere. Empty without a span. */
  readonly traceContext: TraceContext;
  /** Sends these metrics from now on, once a minute. */
  exportMetrics(collect: () => Promise<readonly Metric[]>): void;
  /** Sends what has not been sent, for a second at most. */
  stop(): Promise<void>;
}
