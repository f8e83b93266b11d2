import type { Comment } from "@colloquy/client";
import type { ReactElement } from "react";
import { type Action, ActionButton, type Focusable } from "./action.tsx";
import { useSession } from "./provider.tsx";
import { useTexts } from "./texts.tsx";

interface ReactionsProps {
  comment: Comment;
  /** Reactions that the user may add even if nobody has; undefined for a user who may add none. */
  offered: string[] | undefined;
  action: Action;
  react: (reaction: string) => Promise<void>;
  unreact: (reaction: string) => Promise<void>;
  getUserName: (user: { userId: string; name?: string }) => string;
  /** Returns what gets the focus when a reaction is removed. */
  next: () => Focusable | null | undefined;
}

/** Shows the reactions to a comment, as buttons that add and delete those of the user. */
export function Reactions(props: ReactionsProps): ReactElement | null {
  const { comment, offered, action, react, unreact, getUserName, next } = props;
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
        const content = (
          <>
            <span className="colloquy-reaction-icon">{reaction}</span>
            {users.length > 0 && ` ${users.length}`}
          </>
        );
        const title = users.length > 0 ? texts.reactedWith(texts.list(users.map(getUserName)), reaction) : undefined;
        return (
          <li key={reaction} title={title}>
            {offered ? (
              <ActionButton
                {...{ action, next }}
                className="colloquy-reaction"
                isPressed={isOwn}
                task={() => (isOwn ? unreact(reaction) : react(reaction))}
              >
                {content}
              </ActionButton>
            ) : (
              <span className="colloquy-reaction">{content}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
