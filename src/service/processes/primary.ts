import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { readSecretKeys } from "../../config/secret-key.ts";
import { type DatabaseServer, openDatabaseServer } from "../../database/connect.ts";
import { rejectOnAbort } from "../reject-on-abort.ts";
import type { Service } from "../service.ts";
import { WorkerProcesses } from "./worker-processes.ts";

/**
 * Starts the service in `config.processes` worker processes that share its port. This process, the primary, owns the
 * embedded database and replaces workers that end. If the start fails, everything is stopped, and the error is thrown.
 */
export async function startProcesses(
  config: Config,
  log: Logger,
  { signal }: { signal: AbortSignal },
): Promise<Service> {
  const workers = new WorkerProcesses(config.processes, log);
  let server: DatabaseServer | undefined;
  const stop = () => workers.stop().finally(() => server?.stop());
  try {
    const canceled = AbortSignal.any([signal, workers.error]);
    server = await openDatabaseServer(config, log, "service", canceled);
    // Creates the key, which the workers then read.
    await readSecretKeys(config);
    const { stop: _stop, ...access } = server;
    workers.connect(access);
    const { address, firstCredentials } = await Promise.race([workers.serving, rejectOnAbort(canceled)]);
    log.info({ processes: config.processes, address }, "listening");
    return { address, firstCredentials, stop };
  } catch (error) {
    await stop().catch((err: unknown) => log.warn({ err }, "a failed start could not be cleaned up"));
    throw error;
  }
}
