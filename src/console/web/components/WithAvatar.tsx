import type { ReactNode } from "react";
import { avatarColor, initials } from "./avatar.ts";

interface WithAvatarProps {
  kind: "user" | "organization";
  id: string;
  /** Name from which the initials come. */
  name: string;
  children: ReactNode;
}

/** Content beside an avatar: a circle for a user, a square for an organization. The avatar is decorative. */
export function WithAvatar({ kind, id, name, children }: WithAvatarProps) {
  return (
    <div className="with-avatar">
      <span
        className="avatar"
        data-kind={kind}
        data-initials={initials(name)}
        style={{ background: avatarColor(id) }}
        aria-hidden
      />
      <div>{children}</div>
    </div>
  );
}
