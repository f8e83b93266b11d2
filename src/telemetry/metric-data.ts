import { type HrTime, ValueType } from "@opentelemetry/api";
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import type { Attributes, Metric } from "./telemetry.ts";

type Value = Metric["values"][number];

/** The time that a value covers. */
export interface Period {
  startTime: HrTime;
  endTime: HrTime;
}

/** Converts metrics of prom-client, with the names and labels of `/metrics`. */
export function toMetricData(metrics: readonly Metric[], period: Period): MetricData[] {
  return metrics.map((metric): MetricData => {
    const { name, help: description, type } = metric;
    const common = {
      descriptor: { name, description, unit: "", valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    if (type === "histogram") {
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(metric, period) };
    }
    const dataPoints = metric.values.map(({ labels, value }) => ({
      ...period,
      attributes: getAttributes(labels),
      value,
    }));
    if (type === "counter") return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

/** Returns a histogram for each combination of labels. */
function toHistograms({ name, values }: Metric, period: Period) {
  const groups = Map.groupBy(values, ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  return [...groups.values()].map((group): DataPoint<HistogramValue> => {
    const { le: _, ...attributes } = getAttributes(group[0]?.labels ?? {});
    return { ...period, attributes, value: toHistogram(name, group) };
  });
}

interface HistogramValue {
  buckets: { boundaries: number[]; counts: number[] };
  sum: number;
  count: number;
}

function toHistogram(name: string, group: Value[]): HistogramValue {
  const getTotal = (suffix: string) => group.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
  const count = getTotal("count");
  const buckets = group
    .filter(({ metricName }) => metricName === `${name}_bucket`)
    .map(({ labels, value }) => ({ bound: Number(getAttributes(labels).le), upToBound: value }))
    .filter(({ bound }) => Number.isFinite(bound));
  // Buckets of Prometheus include those below them.
  const totals = [...buckets.map(({ upToBound }) => upToBound), count];
  const counts = totals.map((total, index) => total - (totals[index - 1] ?? 0));
  return { buckets: { boundaries: buckets.map(({ bound }) => bound), counts }, sum: getTotal("sum"), count };
}

function getAttributes(labels: object): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
