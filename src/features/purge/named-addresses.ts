import { isObject } from "../../json/is-object.ts";

/** Yields the addresses in a record next to the IDs of the users, and in a contact next to one. */
export function* findNamedAddresses(value: object, userIds: ReadonlySet<string>): Generator<string> {
  const { userId, email, contact }: { userId?: unknown; email?: unknown; contact?: unknown } = { ...value };
  if (typeof userId === "string" && userIds.has(userId)) {
    for (const address of [email, isObject(contact) ? contact.email : undefined]) {
      if (typeof address === "string") yield address;
    }
  }
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) yield* findNamedAddresses(inner, userIds);
  }
}
