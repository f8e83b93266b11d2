import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import * as api from "@opentelemetry/api";
import { millisToHrTime, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { TelemetryConfig } from "../config/config.ts";
import { FailedExports } from "./failed-exports.ts";
import { toMetricData } from "./metric-data.ts";
import {
  type Attributes,
  getErrorType,
  type Metric,
  type Span,
  type SpanStart,
  type Telemetry,
  type TraceContext,
} from "./telemetry.ts";

const SCOPE = { name: "colloquy" };
const KINDS = {
  request: api.SpanKind.SERVER,
  statement: api.SpanKind.CLIENT,
  job: api.SpanKind.CONSUMER,
  mail: api.SpanKind.CLIENT,
  webhook: api.SpanKind.CLIENT,
};
const { ERROR } = api.SpanStatusCode;
/** Time after which an attempt to reach the collector fails. Its spans are dropped; others wait for the next one. */
const EXPORT_TIMEOUT_MS = 5_000;
const STOP_LIMIT_MS = 1_000;

const propagator = new W3CTraceContextPropagator();

/**
 * Sends spans and metrics to a collector by OTLP over HTTP. They wait in memory, 2,048 spans at most, so that no
 * request waits for the collector; those that do not fit are dropped.
 */
export function startTelemetry(config: TelemetryConfig, version: string, log: Logger): Telemetry {
  const resource = resourceFromAttributes({
    "service.name": config.serviceName,
    "service.version": version,
    "service.instance.id": randomUUID(),
  });
  const failedExports = new FailedExports(log);
  const to = (signal: string) => ({
    url: `${config.endpoint}/v1/${signal}`,
    headers: config.headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const traceExporter = new OTLPTraceExporter(to("traces"));
  const exporter = {
    export: (spans, done) => traceExporter.export(spans, failedExports.recorded(done)),
    shutdown: () => traceExporter.shutdown(),
  } satisfies ConstructorParameters<typeof BatchSpanProcessor>[0]["exporter"];
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.sampledShare) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer(SCOPE.name);
  const running = new AsyncLocalStorage<api.Context>();
  const startTime = millisToHrTime(Date.now());
  let meters: MeterProvider | undefined;

  function start({ kind, name, attributes = {} }: SpanStart, parent: api.Context): Span {
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
    const context = api.trace.setSpan(parent, span);
    return {
      run: (work) => running.run(context, work),
      end(added = {}, errorType) {
        span.setAttributes(added);
        if (errorType !== undefined) span.setAttribute("error.type", errorType).setStatus({ code: ERROR });
        span.end();
      },
    };
  }

  return {
    startTrace(span, context = {}) {
      return start(span, propagator.extract(api.ROOT_CONTEXT, context, api.defaultTextMapGetter));
    },
    async measure<Result>(
      span: SpanStart,
      work: () => Promise<Result>,
      getAttributes?: (result: Result) => Attributes,
    ) {
      const parent = running.getStore();
      if (parent === undefined) return work();
      const started = start(span, parent);
      try {
        const result = await started.run(work);
        started.end(getAttributes?.(result));
        return result;
      } catch (error) {
        started.end({}, getErrorType(error));
        throw error;
      }
    },
    get traceContext() {
      const carrier: TraceContext = {};
      propagator.inject(running.getStore() ?? api.ROOT_CONTEXT, carrier, api.defaultTextMapSetter);
      return carrier;
    },
    exportMetrics(collect: () => Promise<readonly Metric[]>) {
      const metricExporter = new OTLPMetricExporter(to("metrics"));
      const producer = {
        async collect() {
          const metrics = toMetricData(await collect(), { startTime, endTime: millisToHrTime(Date.now()) });
          return { resourceMetrics: { resource, scopeMetrics: [{ scope: SCOPE, metrics }] }, errors: [] };
        },
      };
      const reader = new PeriodicExportingMetricReader({
        exporter: {
          export: (metrics, done) => metricExporter.export(metrics, failedExports.recorded(done)),
          forceFlush: () => metricExporter.forceFlush(),
          shutdown: () => metricExporter.shutdown(),
        },
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        metricProducers: [producer],
      });
      meters = new MeterProvider({ resource, readers: [reader] });
    },
    async stop() {
      const sent = Promise.allSettled([provider.shutdown(), meters?.shutdown()]);
      await Promise.race([sent, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
