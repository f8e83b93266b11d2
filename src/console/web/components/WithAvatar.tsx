import type { ReactNode } from "react";
import { avatarColor, initials } from "./avatar.ts";
import { FilterLink } from "./FilterLink.tsx";
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
  /** What the avatar links to. It is decorative without. */
  href?: string;
  /** Accessible name of the link. */
  label?: string;
  children: ReactNode;
}

/**
 * Content beside an avatar: initials in a circle for a user, in a square for an organization, and an icon for a
 * document.
 */
export function WithAvatar({ kind, id, name, isLarge = false, href, label, children }: WithAvatarProps) {
  const shown = kind === "document" ? "" : initials(name);
  const avatar = (
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
  );
  return (
    <div className="with-avatar">
      {href === undefined ? (
        avatar
      ) : (
        <FilterLink href={href} label={label}>
          {avatar}
        </FilterLink>
      )}
      <div>{children}</div>
    </div>
  );
}
