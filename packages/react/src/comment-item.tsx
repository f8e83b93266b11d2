import type { Comment } from "@colloquy/client";
import { type ReactElement, useRef, useState } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { ErrorMessage, Time } from "./notice.tsx";
import { Reactions } from "./reactions.tsx";
import { getName } from "./template.ts";
import { TextForm } from "./text-form.tsx";
import { useTexts } from "./texts.tsx";

interface CommentItemProps {
  comment: Comment;
  /** Whether the user may change the comment. */
  isChangeable: boolean;
  /** Reactions to offer to the user; undefined for a user who may add none. */
  reactions: string[] | undefined;
  react: (reaction: string) => Promise<void>;
  unreact: (reaction: string) => Promise<void>;
  edit: (text: string) => Promise<void>;
  remove: () => Promise<void>;
  /** Returns the element that gets the focus when what has it is removed. */
  next: () => HTMLElement | null | undefined;
}

/** Shows a comment, with buttons to change it. */
export function CommentItem(props: CommentItemProps): ReactElement {
  const { comment, isChangeable, reactions: offered, react, unreact, edit, remove, next } = props;
  const texts = useTexts();
  const action = useAction();
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  async function save(text: string): Promise<void> {
    await edit(text);
    // The field that has the focus is removed.
    editButton.current?.focus();
    setEditing(false);
  }
  async function removeIfConfirmed(): Promise<void> {
    if (window.confirm(texts.confirmDelete)) await remove();
  }
  return (
    <li>
      <strong>
        <bdi>{getName(comment.from, texts)}</bdi>
      </strong>{" "}
      <Time at={comment.createdAt} />
      {isEditing ? (
        <TextForm
          {...{ action, send: save, field: focus }}
          label={texts.edit}
          submit={texts.save}
          initial={comment.commentText ?? ""}
        />
      ) : (
        <p dir="auto">{comment.commentText}</p>
      )}
      {comment.updatedByUserId !== undefined && <p>{texts.editedByModerator}</p>}
      <Reactions {...{ comment, offered, action, react, unreact, next }} />
      {isChangeable && (
        <>
          <button ref={editButton} type="button" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
            {isEditing ? texts.cancel : texts.edit}
          </button>{" "}
          <ActionButton action={action} task={removeIfConfirmed} next={next}>
            {texts.delete}
          </ActionButton>
        </>
      )}
      <ErrorMessage error={action.error} />
    </li>
  );
}

function focus(field: HTMLTextAreaElement | null): void {
  field?.focus();
}
