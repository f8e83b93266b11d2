import type { EndUser } from "../../contract/end-user.ts";
import { isObject } from "../../json/is-object.ts";
import { parseRecord } from "../../json/record-texts.ts";
import { recipientFields } from "./delivery/deliver-notifications.ts";

/**
 * Returns the page of an inbox as its user sees it, without the other recipients. Other callers see the page as it is,
 * at no cost.
 */
export function shownTo(user: EndUser | undefined, page: string): string {
  if (!user) return page;
  const records = Object.values(parseRecord(page)).filter(isObject);
  return JSON.stringify(records.map((record) => withOwnEntry(record, user)));
}

function withOwnEntry(record: Record<string, unknown>, { userId }: EndUser): object {
  const { notifyUsersByUserId } = record;
  const isNamed = isObject(notifyUsersByUserId) && Object.hasOwn(notifyUsersByUserId, userId);
  return { ...record, ...recipientFields(isNamed ? [userId] : []) };
}
