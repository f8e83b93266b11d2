import { expect, onTestFinished, test, vi } from "vitest";
import { startService } from "../../src/service/service.ts";
import { addActivities, readIds, SCOPE } from "../factories.ts";
import { silentLog, startOwnTestService } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";

const service = await startOwnTestService();

/** Holds up every write to activities until `release`; returns when one waits. */
async function holdWrites() {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = service.database.transaction(async ({ query }) => {
    await query("lock table activities in share mode");
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return {
    release() {
      release.resolve();
      return transaction;
    },
    oneWaits: () =>
      vi.waitFor(async () => {
        const { rowCount } = await service.database.query("select from pg_locks where not granted");
        expect(rowCount).toBe(1);
      }),
  };
}

test("a stop finishes the answers under way, and does not wait for connections that are kept alive", async () => {
  const [workspace, { address, stop }, writes] = await Promise.all([
    service.workspace(),
    service.second(),
    holdWrites(),
  ]);
  const answer = addActivities(workspace.at(address), ["under way"]);
  await writes.oneWaits();
  const stopped = stop();
  await writes.release();
  expect(await answer).toMatchObject({ success: true });
  await stopped;
  expect(await readIds(workspace)).toEqual(["under way"]);
}, 5_000);

test("a stop takes less than 10 s although a client never finishes its request", async () => {
  const [workspace, { address, stop }] = await Promise.all([service.workspace(), service.second()]);
  const client = await RawConnection.open(address);
  onTestFinished(() => void client.socket.destroy());
  await client.send(requestText("/v2/activities/add", { ...workspace.headers, "content-length": "100" }, "{"));
  await expect(fetch(`${address}/healthz`)).resolves.toMatchObject({ status: 200 });
  await stop();
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
}, 10_000);

test("after a stop nothing is accepted, and what was written is there for the others", async () => {
  const [workspace, { address, stop }] = await Promise.all([service.workspace(), service.second()]);
  await addActivities(workspace.at(address), ["before"]);
  await stop();
  await expect(
    workspace.at(address).call("/v2/activities/get", { organizationId: SCOPE.organizationId }),
  ).rejects.toThrow();
  expect(await readIds(workspace)).toEqual(["before"]);
});

test("a start on a port that is taken stops with a sentence that names it", async () => {
  const port = Number(new URL(service.address).port);
  const failure = startService({ ...service.config, port }, silentLog);
  await expect(failure).rejects.toThrow(`HOST 127.0.0.1 and PORT ${port} cannot be listened on (listen EADDRINUSE`);
});
