import type { CommentRef } from "@colloquy/client/stores";
import type { MouseEvent, ReactElement, ReactNode } from "react";
import { type Attachment, readAttachment } from "./attachment.ts";
import { Icon } from "./icons.tsx";
import { useTexts } from "./texts.tsx";
import { useFileUrl } from "./use-file-url.ts";

interface FileCardProps {
  name: string;
  /** Type and size, or the state of an upload. */
  note: string;
  imageUrl?: string | undefined;
  children?: ReactNode | undefined;
}

/** Shows the name of a file with a small picture. */
export function FileCard({ name, note, imageUrl, children }: FileCardProps): ReactElement {
  return (
    <>
      <span className="colloquy-file-picture">
        {imageUrl === undefined ? <Icon name="file" /> : <img src={imageUrl} alt="" />}
      </span>
      <span className="colloquy-file-text">
        <bdi className="colloquy-file-name" title={name}>
          {name}
        </bdi>
        <span className="colloquy-note">{note}</span>
      </span>
      {children}
    </>
  );
}

interface AttachmentsProps {
  attachments: Attachment[];
  comment: CommentRef;
}

/** Shows the attachments of a comment: images as such, and other files as cards. */
export function Attachments({ attachments, comment }: AttachmentsProps): ReactElement | null {
  const texts = useTexts();
  if (attachments.length === 0) return null;
  return (
    <ul className="colloquy-attachments" aria-label={texts.attachments}>
      {attachments.map(readAttachment).map((attachment, index) => (
        <li key={attachment.fileId ?? index}>
          <AttachmentLink {...{ attachment, comment }} />
        </li>
      ))}
    </ul>
  );
}

/** Types of images that browsers show and that run no scripts. */
const IMAGES = /^image\/(png|jpe?g|gif|webp|avif)$/;

interface AttachmentLinkProps {
  attachment: ReturnType<typeof readAttachment>;
  comment: CommentRef;
}

function AttachmentLink({ attachment, comment }: AttachmentLinkProps): ReactElement {
  const texts = useTexts();
  const { mimeType = "", type, size, width, height } = attachment;
  const name = attachment.name || texts.attachment;
  const { href, isExpired, renew } = useFileUrl(attachment, comment);
  const prepare = () => void (isExpired() && renew());
  async function open(event: MouseEvent): Promise<void> {
    if (!isExpired()) return;
    event.preventDefault();
    window.open(await renew(), "_blank", "noopener");
  }
  const isImage = IMAGES.test(mimeType) && href !== undefined;
  const content = isImage ? (
    <img
      className="colloquy-image"
      src={href}
      alt={name}
      title={name}
      loading="lazy"
      onError={() => void renew()}
      // The browser reserves the space if the size is known.
      {...{ width, height }}
    />
  ) : (
    <FileCard name={name} note={describeFile(type ?? getExtension(name), size, texts)} />
  );
  if (href === undefined) return <span className="colloquy-file">{content}</span>;
  return (
    <a
      className={isImage ? undefined : "colloquy-file"}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={(event) => void open(event)}
    >
      {content}
    </a>
  );
}

/** Returns the type and size of a file, such as "PDF · 1.2 MB". */
export function describeFile(
  type: string,
  size: number | undefined,
  { fileSize }: { fileSize: (bytes: number) => string },
): string {
  return [type.toUpperCase(), size === undefined ? "" : fileSize(size)].filter((part) => part !== "").join(" · ");
}

/** Returns the end of a file's name, such as "pdf". */
export function getExtension(name: string): string {
  return /\.([\p{L}\p{N}]{1,8})$/u.exec(name)?.[1] ?? "";
}
