import packageJson from "../../package.json" with { type: "json" };
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { StartContext } from "./start-context.ts";

/** Starts to send traces and metrics if a collector is configured. Loading the packages takes 0.1 s. */
export async function openTelemetry({ config, log, resources }: StartContext): Promise<Telemetry | undefined> {
  if (!config.telemetry) return undefined;
  const { startTelemetry } = await import("../telemetry/otlp.ts");
  const telemetry = startTelemetry(config.telemetry, packageJson.version, log);
  resources.defer(() => telemetry.stop());
  return telemetry;
}
