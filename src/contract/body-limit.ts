import type { Operation } from "./operation.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum size of the body of a request that needs no credentials. */
export const MAX_PUBLIC_BODY_BYTES = 16 * KIB;

/**
 * Returns the maximum size of an operation's body. The end of the path names the kind of operation: `add` and `update`
 * write records, and only they get large bodies.
 */
export function bodyLimitOf({ path, authentication }: Pick<Operation, "path" | "authentication">): number {
  if (authentication === "none") return MAX_PUBLIC_BODY_BYTES;
  return /\/(add|update)$/.test(path) ? 10 * MIB : MIB;
}

/** Returns the message of a failure with reason `body_too_large`. */
export function bodyTooLargeMessage(limitBytes: number): string {
  const limit = limitBytes < MIB ? `${limitBytes / KIB} KiB` : `${limitBytes / MIB} MiB`;
  return `The body is larger than ${limit}, the limit of this operation.`;
}
