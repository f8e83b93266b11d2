import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { AttachmentLink } from "../../components/AttachmentLink.tsx";
import { attachmentTitle } from "../../components/attachment.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { formatBytes } from "../../components/numbers.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { type Attachment, captionsUrl, mediaKind } from "./media.ts";

interface AttachmentListProps {
  attachments: Attachment[];
  /** Whether the list is in a row that opens as a whole, whose arrow keys reach the controls. */
  isInRow?: boolean;
}

/** The files of a recording. Audio and video play on the page and load only when played. */
export function AttachmentList({ attachments, isInRow = false }: AttachmentListProps) {
  const captions = captionsUrl(attachments);
  const byUrl = new Map(attachments.map((attachment) => [attachment.url, attachment]));
  return (
    <ul className="attachments">
      {[...byUrl.values()].map((attachment) => (
        <li key={attachment.url}>
          <File attachment={attachment} captions={captions} tabIndex={isInRow ? -1 : undefined} />
        </li>
      ))}
    </ul>
  );
}

interface FileProps {
  attachment: Attachment;
  captions: string | undefined;
  tabIndex: -1 | undefined;
}

function File({ attachment, captions, tabIndex }: FileProps) {
  const [isOpen, setIsOpen] = useState(false);
  const media = mediaKind(attachment);
  const title = attachmentTitle(attachment);
  return (
    <>
      <Text size="sm" component="div" className="details">
        <AttachmentLink attachment={attachment} tabIndex={tabIndex} />
        <Text span size="xs" c="dimmed">
          <UntrustedText>
            {[attachment.mimeType, attachment.size !== undefined && formatBytes(attachment.size)]
              .filter(Boolean)
              .join(", ")}
          </UntrustedText>
        </Text>
        {media && (
          <Button
            size="compact-xs"
            variant="default"
            tabIndex={tabIndex}
            aria-expanded={isOpen}
            aria-label={revealBidiControls(`${isOpen ? "Close" : "Play"} ${title}`)}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? "Close" : "Play"}
          </Button>
        )}
      </Text>
      {isOpen && media && <Player media={media} attachment={attachment} captions={captions} />}
    </>
  );
}

interface PlayerProps {
  media: "audio" | "video";
  attachment: Attachment;
  captions: string | undefined;
}

function Player({ media, attachment, captions }: PlayerProps) {
  const [isFailed, setIsFailed] = useState(false);
  const Media = media;
  return (
    <>
      <Media
        className="player"
        controls
        preload="none"
        autoPlay
        aria-label={revealBidiControls(attachmentTitle(attachment))}
        src={attachment.url}
        // Browsers load subtitles from another origin only if the media itself is requested with CORS.
        crossOrigin={captions ? "anonymous" : undefined}
        onError={() => setIsFailed(true)}
      >
        <track kind="captions" src={captions} default />
      </Media>
      {isFailed && (
        <Text size="sm" role="alert">
          This file cannot be played here. It may be missing, require a login, or have a format that this browser does
          not support. Open it with the link above.
        </Text>
      )}
    </>
  );
}
