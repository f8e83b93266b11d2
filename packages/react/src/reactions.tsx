import type { Comment } from "@colloquy/client";
import type { ReactElement } from "react";
import { type Action, ActionButton } from "./action.tsx";
import { useSession } from "./provider.tsx";
import { getName } from "./template.ts";
import { useTexts } from "./texts.tsx";

interface ReactionsProps {
  comment: Comment;
  /** Reactions that the user may add even if nobody has; undefined for a user who may add none. */
  offered: string[] | undefined;
  action: Action;
  react: (reaction: string) => Promise<void>;
  unreact: (reaction: string) => Promise<void>;
  /** Returns the element that gets the focus when a reaction is removed. */
  next: () => HTMLElement | null | undefined;
}

/** Shows the reactions to a comment, as buttons that add and delete those of the user. */
export function Reactions({ comment, offered, action, react, unreact, next }: ReactionsProps): ReactElement | null {
  const { userId } = useSession();
  const texts = useTexts();
  const given = new Map(
    comment.reactionAnnotations.map(({ icon, fromUsers }) => [icon, fromUsers.map(({ from }) => from)]),
  );
  const shown = [...new Set([...given.keys(), ...(offered ?? [])])];
  if (shown.length === 0) return null;
  return (
    <ul className="colloquy-reactions" aria-label={texts.reactions}>
      {shown.map((reaction) => {
        const users = given.get(reaction) ?? [];
        const isOwn = users.some((user) => user.userId === userId);
        const text = users.length > 0 ? `${reaction} ${users.length}` : reaction;
        return (
          <li key={reaction} title={users.map((user) => getName(user, texts)).join(", ")}>
            {offered ? (
              <ActionButton
                {...{ action, next }}
                isPressed={isOwn}
                task={() => (isOwn ? unreact(reaction) : react(reaction))}
              >
                {text}
              </ActionButton>
            ) : (
              text
            )}
          </li>
        );
      })}
    </ul>
  );
}
