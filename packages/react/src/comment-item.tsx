import type { Comment } from "@colloquy/client";
import { type ReactElement, useRef, useState } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { Failure, Time } from "./notice.tsx";
import { nameOf } from "./template.ts";
import { TextForm } from "./text-form.tsx";
import { useTexts } from "./texts.tsx";

interface CommentItemProps {
  comment: Comment;
  /** Whether the user may change the comment. */
  isChangeable: boolean;
  edit: (text: string) => Promise<void>;
  remove: () => Promise<void>;
  /** Returns the element that gets the focus when the comment is removed. */
  next: () => HTMLElement | null | undefined;
}

/** Shows a comment, with buttons to change it. */
export function CommentItem({ comment, isChangeable, edit, remove, next }: CommentItemProps): ReactElement {
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
        <bdi>{nameOf(comment.from, texts)}</bdi>
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
      <Failure error={action.error} />
    </li>
  );
}

function focus(field: HTMLTextAreaElement | null): void {
  field?.focus();
}
