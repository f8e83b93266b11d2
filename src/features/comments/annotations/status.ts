import Type, { type Static } from "typebox";
import { Identifier } from "../../../contract/schema.ts";

const statusFields = {
  name: Type.Optional(Type.String()),
  type: Type.Optional(Type.Enum(["default", "ongoing", "terminal"])),
  color: Type.Optional(Type.String()),
  lightColor: Type.Optional(Type.String()),
  svg: Type.Optional(Type.String()),
  iconUrl: Type.Optional(Type.String()),
};

export const Status = Type.Object({ id: Identifier, ...statusFields });
type Status = Static<typeof Status>;

/** A status as it is sent. */
export const NewStatus = Type.Refine(
  Type.Object(
    { id: Type.Optional(Identifier), ...statusFields },
    { description: "A status without an `id` is that of the service with this `type`." },
  ),
  ({ id, type }) => id !== undefined || type !== undefined,
  () => "must have id or type",
);

/** The statuses of the service, by type. */
const STATUSES = {
  default: { id: "OPEN", name: "Open", type: "default", color: "#1971c2", lightColor: "#e7f5ff" },
  ongoing: { id: "IN_PROGRESS", name: "In progress", type: "ongoing", color: "#e8590c", lightColor: "#fff4e6" },
  terminal: { id: "RESOLVED", name: "Resolved", type: "terminal", color: "#2f9e44", lightColor: "#ebfbee" },
} as const satisfies Record<string, Status>;

/** Returns a status as it is stored: one without an id is completed from the service's own status of its type. */
export function toStatus({ id, ...sent }: Static<typeof NewStatus> = {}): Status {
  return id === undefined ? { ...STATUSES[sent.type ?? "default"], ...sent } : { id, ...sent };
}
