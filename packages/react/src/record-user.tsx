import type { ReactElement, ReactNode } from "react";
import { getName, getPhotoUrl } from "./template.ts";
import { useTexts } from "./texts.tsx";
import { useUsers } from "./use-users.ts";
import { UserPhoto } from "./user-photo.tsx";

interface RecordUserProps {
  /** User as a record names them. */
  user: { userId: string; name?: string | undefined } | undefined;
  /** What is shown on a corner of the photo. */
  children?: ReactNode | undefined;
}

/** Shows the photo of a user: that of `resolveUsers`, or the one in the record. */
export function RecordUserPhoto({ user, children }: RecordUserProps): ReactElement {
  const { name, photoUrl } = useRecordUser(user);
  return (
    <span className="colloquy-record-user">
      <UserPhoto userId={user?.userId} name={name} photoUrl={photoUrl} />
      {children}
    </span>
  );
}

/** Returns the name and the photo of a user: those of `resolveUsers`, or those in the record. */
export function useRecordUser(user: RecordUserProps["user"]): { name: string; photoUrl: string | undefined } {
  const texts = useTexts();
  const users = useUsers(user ? [user.userId] : []);
  const profile = user && users.get(user.userId);
  return { name: profile?.name || getName(user, texts), photoUrl: profile?.photoUrl ?? getPhotoUrl(user) };
}
