import type { Mention, UserProfile } from "@colloquy/client/stores";
import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  type Ref,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { useAction } from "./action.tsx";
import type { Attachment } from "./attachment.ts";
import { ComposerBar, FormatBar } from "./composer-bar.tsx";
import { useActive, useResets } from "./composer-hooks.ts";
import { getDraftName, readDraft, writeDraft } from "./drafts.ts";
import { Icon } from "./icons.tsx";
import { getOptionId, MentionPicker } from "./mention-picker.tsx";
import { ErrorMessage } from "./notice.tsx";
import { useSession } from "./provider.tsx";
import { isPlain, parseRichText, type RichNode, textToRich, toHtml, toText, trimRich } from "./rich-text.ts";
import { getRootProps } from "./root-props.ts";
import { useTexts } from "./texts.tsx";
import { UploadList } from "./upload-list.tsx";
import { useMentions } from "./use-mentions.ts";
import { useRichEditor } from "./use-rich-editor.ts";
import { type Upload, useUpload, useUploads } from "./use-uploads.ts";

/** A comment that a user has written. */
export interface ComposedComment {
  /** Plain text, with the markers of lists and quotations. */
  text: string;
  /** HTML with the permitted tags; undefined if the plain text says all. */
  html: string | undefined;
  /** Users and user groups whom the text mentions. */
  mentions: Mention[];
  attachments: Attachment[];
}

/** Props of `Composer`. */
export interface ComposerProps {
  /** Sends the comment. The composer is cleared at once, and shows the comment again with the error if it fails. */
  onSubmit: (comment: ComposedComment) => Promise<unknown> | unknown;
  /** Called when the user presses Escape or the button to cancel, which is shown only with this function. */
  onCancel?: (() => void) | undefined;
  /** Name of the field for screen readers. "Comment" by default. */
  label?: string | undefined;
  /** Text of an empty field. The label by default. */
  placeholder?: string | undefined;
  /** Name of the button that sends. "Send" by default. */
  submitLabel?: string | undefined;
  /** Comment to begin with. */
  initial?: Partial<ComposedComment> | undefined;
  /** Document of the comment, whose users are offered as mentions if there is no `searchUsers`. */
  documentId?: string | undefined;
  /** Keeps what was not sent in the browser, under this name and the user, until it is sent. */
  draftId?: string | undefined;
  /** Stores attachments. By default, the service stores those of a document. With false, there are none. */
  upload?: Upload | false | undefined;
  /** Users to offer first as mentions. */
  participants?: UserProfile[] | undefined;
  isDisabled?: boolean | undefined;
  isReadOnly?: boolean | undefined;
  /** Whether the field gets the focus at once. */
  autoFocus?: boolean | undefined;
  /** Whether buttons are shown only while the composer has the focus or a text. */
  isCompact?: boolean | undefined;
  className?: string | undefined;
  /** Gets what a component can do with the composer. */
  handle?: Ref<ComposerHandle> | undefined;
}

/** What a component can do with a composer. */
export interface ComposerHandle {
  focus(): void;
}

/** Shows a field to write a comment: rich text, mentions, emojis and attachments. Ctrl Enter (⌘ Enter) sends it. */
export function Composer(props: ComposerProps): ReactElement {
  const { onSubmit, onCancel, initial, draftId, documentId, participants, handle } = props;
  const { isDisabled = false, isReadOnly = false, autoFocus = false, isCompact = false } = props;
  const session = useSession();
  const texts = useTexts();
  const action = useAction();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isFormatting, setFormatting] = useState(false);
  const [isLinking, setLinking] = useState(false);
  const [isDragging, setDragging] = useState(false);
  const { isActive, activate } = useActive(form);
  const isEditable = !isDisabled && !isReadOnly;
  const draftName = draftId === undefined ? undefined : getDraftName(session, [draftId]);
  const upload = useUpload(props.upload, documentId);
  const uploads = useUploads(upload, initial?.attachments);
  const field = useRichEditor({
    isEditable,
    initial() {
      const draft = readDraft(draftName);
      if (draft) mentions.restore(draft.mentions);
      if (autoFocus) queueMicrotask(() => field.focus());
      return toNodes(draft?.html ?? initial?.html, initial?.text);
    },
    onChange: saveDraft,
  });
  const mentions = useMentions({ field, documentId, participants, initial: initial?.mentions });
  const resets = useResets(session.client, () => {
    field.setContent([]);
    mentions.restore([]);
    uploads.clear();
  });
  useImperativeHandle(handle, () => ({ focus: field.focus }));
  const label = props.label ?? texts.comment;
  const placeholder = props.placeholder ?? label;
  const canSend = isEditable && uploads.areStored && (!field.isEmpty || uploads.files.length > 0);

  function saveDraft(): void {
    if (draftName === undefined) return;
    const nodes = trimRich(field.getContent());
    writeDraft(draftName, nodes.length === 0 ? undefined : { html: toHtml(nodes), mentions: mentions.get() });
  }

  function cancel(): void {
    writeDraft(draftName, undefined);
    onCancel?.();
  }

  async function send(): Promise<void> {
    const nodes = trimRich(field.getContent());
    const text = toText(nodes).trim();
    if (!canSend || (text === "" && uploads.files.length === 0)) return;
    const files = uploads.take();
    const attachments = files.map(({ attachment }) => attachment).filter((each) => each !== undefined);
    const html = isPlain(nodes) ? undefined : toHtml(nodes);
    const comment = { text, html, mentions: mentions.getIn(text), attachments };
    const { current: resetsBefore } = resets;
    field.setContent([]);
    mentions.restore([]);
    try {
      await onSubmit(comment);
      uploads.release(files);
    } catch (error) {
      // Another user must not see the comment.
      if (resets.current !== resetsBefore) return;
      // What the user has written meanwhile follows.
      field.setContent([...nodes, ...trimRich(field.getContent())]);
      mentions.restore([...comment.mentions, ...mentions.get()]);
      uploads.restore(files);
      throw error;
    } finally {
      saveDraft();
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void action.run(send);
  }

  function handleKey(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.nativeEvent.isComposing || event.target !== field.root.current) return;
    const hasControl = event.ctrlKey || event.metaKey;
    if (mentions.handleKey(event)) return;
    if (event.key === "Enter" && hasControl) form.current?.requestSubmit();
    else if (event.key === "k" && hasControl) openLink();
    else if (event.key === "Escape" && onCancel) cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function openLink(): void {
    setFormatting(true);
    setLinking(true);
  }

  function paste(event: ClipboardEvent): void {
    const { files } = event.clipboardData;
    const pasted = parseRichText(event.clipboardData.getData("text/html"));
    // Spreadsheets and text processors add a picture of what they copy.
    if (!upload || files.length === 0 || (pasted && toText(pasted).trim() !== "")) return;
    event.preventDefault();
    event.stopPropagation();
    uploads.add(files);
  }

  function drag(event: DragEvent): void {
    if (!upload || !isEditable || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDragging(event.type === "dragover");
    if (event.type === "drop") {
      event.stopPropagation();
      uploads.add(event.dataTransfer.files);
    }
  }

  return (
    <form
      ref={form}
      {...getRootProps(texts, "colloquy-composer", props.className)}
      data-compact={isCompact && !isActive && field.isEmpty && uploads.files.length === 0}
      data-dragging={isDragging}
      aria-busy={action.isPending}
      onFocus={activate}
      onSubmit={submit}
      onKeyDownCapture={handleKey}
      onPasteCapture={paste}
      onDragOver={drag}
      onDragLeave={drag}
      onDropCapture={drag}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: A textarea has no rich text. */}
      <div
        ref={field.root}
        role="textbox"
        tabIndex={isDisabled ? -1 : 0}
        className="colloquy-field"
        contentEditable={isEditable}
        suppressContentEditableWarning
        dir={field.isEmpty ? undefined : "auto"}
        data-empty={field.isEmpty}
        data-placeholder={placeholder}
        aria-label={label}
        aria-placeholder={placeholder}
        aria-multiline
        aria-readonly={isReadOnly || undefined}
        aria-disabled={isDisabled || undefined}
        aria-autocomplete="list"
        aria-controls={mentions.isOpen ? `${id}mentions` : undefined}
        aria-activedescendant={mentions.active ? getOptionId(`${id}mentions`, mentions.place) : undefined}
      />
      {mentions.isOpen && (
        <MentionPicker
          id={`${id}mentions`}
          candidates={mentions.candidates}
          active={mentions.place}
          isLoading={mentions.isLoading}
          getAnchor={() => field.query?.rect}
          owner={form.current}
          choose={mentions.choose}
          close={mentions.close}
        />
      )}
      <UploadList uploads={uploads} />
      <ErrorMessage error={action.error} />
      {isEditable && (
        <div className="colloquy-composer-bar">
          {isFormatting && (
            <FormatBar
              id={`${id}formats`}
              {...{ isLinking, setLinking }}
              editor={field.editor}
              formats={field.formats}
            />
          )}
          <ComposerBar
            {...{ isFormatting, setFormatting, isLinking, setLinking }}
            editor={field.editor}
            formats={field.formats}
            formatsId={`${id}formats`}
            attach={upload && uploads.add}
          />
          <span className="colloquy-spacer" />
          {onCancel && (
            <button type="button" className="colloquy-button" data-variant="quiet" onClick={cancel}>
              {texts.cancel}
            </button>
          )}
          <button
            type="submit"
            className="colloquy-button"
            data-variant="primary"
            aria-disabled={!canSend || action.isPending}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {props.submitLabel ?? texts.send}
          </button>
        </div>
      )}
      {isDragging && (
        <p className="colloquy-drop" aria-hidden="true">
          <Icon name="attach" />
          {texts.dropFiles}
        </p>
      )}
    </form>
  );
}

function toNodes(html: string | undefined, text: string | undefined): RichNode[] {
  return (html === undefined ? undefined : parseRichText(html)) ?? (text ? textToRich(text) : []);
}
