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
  const color = [...userId].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % COLOR_COUNT;
  return (
    <span className="colloquy-photo" data-color={color} aria-hidden="true">
      {photoUrl && photoUrl !== failedUrl ? (
        <img src={photoUrl} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setFailedUrl(photoUrl)} />
      ) : (
        getInitials(name)
      )}
    </span>
  );
}
