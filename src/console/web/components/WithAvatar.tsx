import type { ReactNode } from "react";
import { avatarColor, initials } from "./avatar.ts";
import { Icon } from "./Icon.tsx";

/** Icon of each kind of record, which a document shows, and a record whose name has no initials. */
const ICONS = { user: "people", organization: "organizations", document: "documents" } as const;

export type AvatarKind = keyof typeof ICONS;

interface WithAvatarProps {
  kind: AvatarKind;
  id: string;
  /** Name from which the initials come. */
  name: string;
  /** Whether it stands beside a title. */
  isLarge?: boolean;
  children: ReactNode;
}

/**
 * Content beside an avatar: initials in a circle for a user, in a square for an organization, and an icon for a
 * document. The avatar is decorative.
 */
export function WithAvatar({ kind, id, name, isLarge = false, children }: WithAvatarProps) {
  const shown = kind === "document" ? "" : initials(name);
  return (
    <div className="with-avatar">
      <span
        className="avatar"
        data-kind={kind}
        data-size={isLarge ? "large" : undefined}
        {...(shown !== "" && { "data-initials": shown })}
        {...(kind !== "document" && { style: { background: avatarColor(id) } })}
        aria-hidden
      >
        {shown === "" && <Icon name={ICONS[kind]} size={isLarge ? 20 : 16} />}
      </span>
      <div>{children}</div>
    </div>
  );
}
