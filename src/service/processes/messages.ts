import type { DatabaseAccess } from "../../database/connect.ts";
import type { MetricValues } from "../../http/metrics.ts";
import type { RequestCounts } from "../../http/request-rates.ts";
import type { Service } from "../service.ts";

export type MessageToWorker =
  /** The first message. Has the service's address if the worker replaces one: it then listens once it can serve. */
  | { type: "start"; address: string | undefined }
  | { type: "connect"; access: DatabaseAccess }
  | { type: "readMetrics" }
  /** What another worker has counted. */
  | { type: "requestCounts"; counts: RequestCounts }
  /** The metrics of all workers in the Prometheus text format. */
  | { type: "allMetrics"; text: string }
  | { type: "stop" }
  /** No worker accepts connections any more. */
  | { type: "allPortsClosed" };

export type MessageToPrimary =
  /** The worker listens, but does not serve yet. */
  | { type: "portOpened"; address: string }
  /** The worker serves requests. */
  | ({ type: "serving" } & Pick<Service, "address" | "firstCredentials">)
  /** The worker accepts no more connections. */
  | { type: "portClosed" }
  /** One sentence that says why the worker cannot start or stop. */
  | { type: "failed"; reason: string }
  | { type: "metrics"; values: MetricValues }
  | { type: "readAllMetrics" }
  | { type: "requestCounts"; counts: RequestCounts };
