import type { CommentAnnotation } from "@colloquy/client";
import { getName, getPhotoUrl } from "./template.ts";
import { useTexts } from "./texts.tsx";
import { useUsers } from "./use-users.ts";

/** What is shown of a user. */
interface Shown {
  name: string;
  photoUrl?: string | undefined;
}

/** Returns a function that gives the name and photo of a user of a thread: of the product, or else of the record. */
export function useProfiles({
  comments,
}: CommentAnnotation): (user: { userId: string; name?: string } | undefined) => Shown {
  const texts = useTexts();
  const reactions = comments.flatMap(({ reactionAnnotations }) => reactionAnnotations);
  const users = [
    ...comments.flatMap(({ from }) => from ?? []),
    ...reactions.flatMap(({ fromUsers }) => fromUsers.map(({ from }) => from)),
  ];
  const profiles = useUsers([...new Set(users.map(({ userId }) => userId))]);
  return (user) => {
    const profile = user && profiles.get(user.userId);
    return { name: profile?.name || getName(user, texts), photoUrl: profile?.photoUrl ?? getPhotoUrl(user) };
  };
}
