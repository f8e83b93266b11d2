import { type ReactElement, useState } from "react";
import { getInitials } from "./initials.ts";

interface UserPhotoProps {
  userId: string | undefined;
  name: string;
  photoUrl?: string | undefined;
}

/** Number of the colors of initials in the stylesheet. */
const COLOR_COUNT = 6;

/** Shows the photo of a user, or the initials if there is none or it cannot be loaded. Screen readers skip it. */
export function UserPhoto({ userId = "", name, photoUrl }: UserPhotoProps): ReactElement {
  const [failedUrl, setFailedUrl] = useState<string>();
  return (
    <span className="colloquy-photo" data-color={getUserColor(userId)} aria-hidden="true">
      {photoUrl && photoUrl !== failedUrl ? (
        <img src={photoUrl} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setFailedUrl(photoUrl)} />
      ) : (
        getInitials(name)
      )}
    </span>
  );
}

/** Returns the number of the color of a user in the stylesheet. */
export function getUserColor(userId: string): number {
  return [...userId].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % COLOR_COUNT;
}
