/** Who gets messages: an endpoint by its ID, or a URL of the basic webhooks of a workspace. */
export type Target = string;

export type BasicKind = "raw" | "processed";

export function basicTarget(kind: BasicKind, workspaceId: string): Target {
  return `${kind} ${workspaceId}`;
}

/** Returns which URL of basic webhooks a target is; undefined for an endpoint. */
export function getBasicKind(target: Target): BasicKind | undefined {
  if (target.startsWith("raw ")) return "raw";
  return target.startsWith("processed ") ? "processed" : undefined;
}
