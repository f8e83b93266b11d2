import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { readConfig } from "../../src/config/config.ts";
import { startService } from "../../src/service/service.ts";

/** Starts a service for pictures, with an empty workspace. */
export async function startPicturedService() {
  const dataDir = await mkdtemp(join(tmpdir(), "colloquy-screenshots-"));
  const service = await startService(readConfig({ PORT: "0", DATA_DIR: dataDir }), pino({ level: "silent" }));
  if (!service.firstCredentials) throw new Error("the first start created no workspace");
  const { signInUrl, apiKey, authToken } = service.firstCredentials;
  return {
    ...{ address: service.address, signInUrl, credentials: { url: service.address, apiKey, authToken } },
    async stop() {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
