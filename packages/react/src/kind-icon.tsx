import type { ReactElement } from "react";
import { Icon, type IconName } from "./icons.tsx";

/** Icons by the end of the `messageKey` or the action type of a record. */
const ICONS: readonly [pattern: RegExp, icon: IconName][] = [
  [/\bmention$/, "mention"],
  [/\bresolve$/, "check"],
  [/\b(un)?assign$/, "assign"],
  [/\w*priority\w*$/, "flag"],
  [/\bdelete$/, "trash"],
  [/\b(status_change|update)$/, "change"],
  [/\bcomment(_annotation)?\.\w+$/, "comment"],
];

/** Shows the icon for a kind of records on a corner of a photo, unless the kind is not known. */
export function KindIcon({ messageKey }: { messageKey: string | null | undefined }): ReactElement | null {
  const icon = ICONS.find(([pattern]) => pattern.test(messageKey ?? ""))?.[1];
  return icon ? (
    <span className="colloquy-kind">
      <Icon name={icon} />
    </span>
  ) : null;
}
