interface Keyed {
  id: string;
  metadata: { organizationId: string };
}

/** Returns the key of an activity among those of all organizations, for URLs: `<organizationId>/<id>`. */
export function activityKey({ id, metadata: { organizationId } }: Keyed): string {
  return `${organizationId.replaceAll("%", "%25").replaceAll("/", "%2F")}/${id}`;
}

/** Returns the organization and ID in a key. Another text has an empty ID, which no activity has. */
export function parseActivityKey(key: string): { organizationId: string; id: string } {
  const [organizationId = "", ...rest] = key.split("/");
  return { organizationId: organizationId.replaceAll("%2F", "/").replaceAll("%25", "%"), id: rest.join("/") };
}
