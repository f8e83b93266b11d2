import type { Comment, CommentAnnotation } from "@colloquy/client";
import type { CommentRecord } from "@colloquy/client/stores";
import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { type Focusable, useAction } from "./action.tsx";
import { CommentText } from "./comment-text.tsx";
import { type ComposedComment, Composer, type ComposerProps } from "./composer.tsx";
import { EmojiButton } from "./emoji-button.tsx";
import { Attachments } from "./file-card.tsx";
import { Menu, type MenuItem } from "./menu.tsx";
import { ErrorMessage, Time } from "./notice.tsx";
import { Reactions } from "./reactions.tsx";
import { useTexts } from "./texts.tsx";
import { UserPhoto } from "./user-photo.tsx";

/** What a product shows instead of a part of a comment. `children` is what the component shows. */
export interface CommentSlot {
  thread: CommentAnnotation;
  comment: CommentRecord;
  children: ReactNode;
}

/** Parts of a comment that a product replaces. */
export interface CommentSlots {
  /** The whole comment. */
  comment?: ((slot: CommentSlot) => ReactNode) | undefined;
  /** The text. */
  body?: ((slot: CommentSlot) => ReactNode) | undefined;
  /** The buttons. */
  actions?: ((slot: CommentSlot) => ReactNode) | undefined;
}

interface CommentItemProps {
  thread: CommentAnnotation;
  comment: CommentRecord;
  /** Name and photo of a user. */
  getProfile: (user: { userId: string; name?: string } | undefined) => { name: string; photoUrl?: string | undefined };
  slots: CommentSlots;
  /** Whether the user may change the comment. */
  isChangeable: boolean;
  /** Reactions to offer to the user; undefined for a user who may add none. */
  reactions: string[] | undefined;
  react: (reaction: string) => Promise<void>;
  unreact: (reaction: string) => Promise<void>;
  edit: (comment: ComposedComment) => Promise<void>;
  /** Asks whether to delete the comment. */
  remove: () => void;
  /** URL of the comment, if the product knows one. */
  link: string | undefined;
  /** Props of the composer that edits the comment. */
  composer: Pick<ComposerProps, "documentId" | "upload" | "participants">;
  /** Buttons after those of the comment. */
  children?: ReactNode | undefined;
  /** Returns what gets the focus when what has it is removed. */
  next: () => Focusable | null | undefined;
}

/** Shows a comment, with buttons to react to it and to change it. */
export function CommentItem(props: CommentItemProps): ReactElement {
  const { thread, comment, getProfile, slots, reactions: offered, react, unreact, edit, next } = props;
  const texts = useTexts();
  const action = useAction();
  const [isEditing, setEditing] = useState(false);
  const item = useRef<HTMLDivElement>(null);
  const { name, photoUrl } = getProfile(comment.from);
  const menu = getMenu({ ...props, startEditing: () => setEditing(true) }, texts);

  function stopEditing(): void {
    setEditing(false);
    // The field that has the focus is removed.
    queueMicrotask(() => item.current?.querySelector<HTMLElement>("[aria-haspopup=menu]")?.focus());
  }

  async function save(changed: ComposedComment): Promise<void> {
    await edit(changed);
    stopEditing();
  }

  const actions = (
    <div className="colloquy-actions">
      {offered && <EmojiButton label={texts.addReaction} select={(emoji) => void action.run(() => react(emoji))} />}
      {menu.length > 0 && <Menu label={texts.commentActions(name)} items={menu} next={next} />}
      {props.children}
    </div>
  );
  const body = isEditing ? (
    <Composer
      {...props.composer}
      initial={toComposed(comment)}
      label={texts.edit}
      submitLabel={texts.save}
      onSubmit={save}
      onCancel={stopEditing}
      autoFocus
    />
  ) : (
    <CommentText comment={comment} />
  );
  const slot = { thread, comment };
  const { annotationId, metadata } = thread;
  const ref = { documentId: metadata.documentId, annotationId, commentId: comment.commentId };
  const content = (
    <div ref={item} className="colloquy-comment">
      <UserPhoto userId={comment.from?.userId} name={name} photoUrl={photoUrl} />
      <div className="colloquy-comment-header">
        <div className="colloquy-byline">
          <strong className="colloquy-name">
            <bdi>{name}</bdi>
          </strong>
          {comment.commentId < 0 ? (
            <span className="colloquy-note">{texts.sending}</span>
          ) : (
            <Time at={comment.createdAt} />
          )}
          {comment.status === "updated" && (
            <span className="colloquy-note">
              {comment.updatedByUserId === undefined ? texts.edited : texts.editedByModerator}
            </span>
          )}
        </div>
        {slots.actions ? slots.actions({ ...slot, children: actions }) : actions}
      </div>
      <div className="colloquy-comment-body">
        {slots.body ? slots.body({ ...slot, children: body }) : body}
        {!isEditing && <Attachments attachments={comment.attachments} comment={ref} />}
        <Reactions
          {...{ comment, offered, action, react, unreact, next }}
          getUserName={(user) => getProfile(user).name}
        />
        <ErrorMessage error={action.error} />
      </div>
    </div>
  );
  return (
    <li tabIndex={-1} data-pending={comment.isPending}>
      {slots.comment ? slots.comment({ ...slot, children: content }) : content}
    </li>
  );
}

type MenuTexts = Record<"edit" | "copyLink" | "delete", string>;

function getMenu(
  { isChangeable, link, remove, startEditing }: CommentItemProps & { startEditing: () => void },
  texts: MenuTexts,
): MenuItem[] {
  const items: MenuItem[] = [];
  if (isChangeable) items.push({ label: texts.edit, select: startEditing });
  if (link !== undefined) {
    items.push({ label: texts.copyLink, select: () => void navigator.clipboard.writeText(link) });
  }
  if (isChangeable) items.push({ label: texts.delete, isDangerous: true, select: remove });
  return items;
}

function toComposed(comment: Comment): Partial<ComposedComment> {
  const { commentText, commentHtml, attachments, taggedUserContacts, taggedUserGroups = [] } = comment;
  const users = taggedUserContacts.flatMap(({ userId, text }) => (text === undefined ? [] : [{ userId, text }]));
  const groups = taggedUserGroups.flatMap(({ groupId, text }) => (text === undefined ? [] : [{ groupId, text }]));
  const mentions = [...users, ...groups];
  return { text: commentText ?? "", html: commentHtml || undefined, attachments, mentions };
}
