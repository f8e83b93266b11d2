import type { ReactNode } from "react";
import { avatarColor, initials } from "./avatar.ts";
import { Icon } from "./Icon.tsx";

export type AvatarKind = "user" | "organization" | "document";

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
  const hasInitials = kind !== "document";
  return (
    <div className="with-avatar">
      <span
        className="avatar"
        data-kind={kind}
        data-size={isLarge ? "large" : undefined}
        {...(hasInitials && { "data-initials": initials(name), style: { background: avatarColor(id) } })}
        aria-hidden
      >
        {!hasInitials && <Icon name="documents" size={isLarge ? 20 : 16} />}
      </span>
      <div>{children}</div>
    </div>
  );
}
