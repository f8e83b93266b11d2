import type { Api } from "../../src/operations.ts";
import { size } from "../sizes.ts";
import type { Space, Tenant } from "./tenant.ts";

/** Number of calls of each operation by each tenant in a stage. It is even, so that the last call turns settings on. */
export const CALLS = size({ usual: 2, long: 6 });

/** Calls an operation that writes. The index is different in each call of a stage. */
export interface Write {
  path: keyof Api;
  send(tenant: Tenant, index: number): Promise<void>;
}

/** Writes that do not depend on each other, and may be sent in any order and at the same time. */
export interface Stage {
  writes: Write[];
  /** Whether the writes change settings of the workspace, of which only the last call of a workspace counts. */
  isOfWorkspace?: true;
}

type Build<Path extends keyof Api> = (
  tenant: Tenant,
  index: number,
) => Api[Path]["request"] | Promise<Api[Path]["request"]>;

export function write<Path extends keyof Api>(
  path: Path,
  build: Build<Path>,
  buildHeaders: (tenant: Tenant, index: number) => Record<string, string> = () => ({}),
): Write {
  return {
    path,
    async send(tenant, index) {
      const request = await build(tenant, index);
      tenant.remember(path, index, await tenant.data(path, request, buildHeaders(tenant, index)));
    },
  };
}

const indexes = Array.from({ length: CALLS }, (_, index) => index);

/** Sends the writes of one tenant, and of one operation, after those of another. */
export async function runAlone({ tenants }: Space, { writes, isOfWorkspace }: Stage): Promise<void> {
  for (const write of writes) {
    if (isOfWorkspace) await inTurns([write], tenants.slice(0, 1), indexes);
    else for (const tenant of tenants) await send([write], [tenant], indexes);
  }
}

/**
 * Sends the writes of all tenants at the same time: the first half of the calls operation by operation, the others in
 * turns of all operations together.
 */
export async function runTogether(spaces: Space[], { writes, isOfWorkspace }: Stage): Promise<void> {
  if (isOfWorkspace) {
    const firstTenants = spaces.flatMap(({ tenants }) => tenants.slice(0, 1));
    await inTurns(writes, firstTenants, indexes);
    return;
  }
  const tenants = spaces.flatMap((space) => space.tenants);
  const half = CALLS / 2;
  for (const write of writes) await send([write], tenants, indexes.slice(0, half));
  await inTurns(writes, tenants, indexes.slice(half));
}

/** Sends all writes of the indexes at the same time. */
async function send(writes: Write[], tenants: Tenant[], some: number[]): Promise<void> {
  await Promise.all(
    some.flatMap((index) => tenants.flatMap((tenant) => writes.map((write) => write.send(tenant, index)))),
  );
}

/** Sends the writes of one index after those of another. */
async function inTurns(writes: Write[], tenants: Tenant[], some: number[]): Promise<void> {
  for (const index of some) await send(writes, tenants, [index]);
}
