import type { DatabaseAccess } from "../../database/connect.ts";
import type { MetricValues } from "../../http/metrics.ts";
import type { RequestCounts } from "../../http/request-rates.ts";
import type { Service } from "../service.ts";

/** What the primary tells a worker. */
export type WorkerMessage =
  /** The first message. Has the service's address if the worker replaces one: it then listens once it can serve. */
  | { type: "start"; address: string | undefined }
  | { type: "connect"; access: DatabaseAccess }
  | { type: "readMetrics" }
  /** What another worker has counted. */
  | { type: "requestCounts"; counts: RequestCounts }
  /** The metrics of all workers in the Prometheus text format. */
  | { type: "allMetrics"; text: string }
  | { type: "stop" }
  /** No worker listens any more. */
  | { type: "portClosed" };

/** What a worker tells the primary. */
export type PrimaryMessage =
  | { type: "starting"; address: string }
  | ({ type: "listening" } & Pick<Service, "address" | "firstCredentials">)
  | { type: "notListening" }
  /** One sentence that says why the worker cannot start or stop. */
  | { type: "failed"; reason: string }
  | { type: "metrics"; values: MetricValues }
  | { type: "readAllMetrics" }
  | { type: "requestCounts"; counts: RequestCounts };
