import Type from "typebox";
import { OrganizationKeyText } from "./organization-key.ts";

/**
 * The job that delivers the due delayed notifications of an organization. Enabling an organization or a document
 * queues it too, since nothing is delivered while they are disabled.
 */
export const DELIVER_DELAYED_NOTIFICATIONS = {
  name: "deliver-delayed-notifications",
  payload: Type.Object({ organizationKey: OrganizationKeyText }),
};
