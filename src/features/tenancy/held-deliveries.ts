import Type from "typebox";

/**
 * The job that delivers what is held in an organization and due. Enabling an organization or a document queues it too,
 * since nothing is delivered while they are disabled.
 */
export const DELIVER_HELD = {
  name: "deliver-held-notifications",
  payload: Type.Object({ organizationKey: Type.String() }),
};
