import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { formatBytes } from "../../components/numbers.ts";
import { Verbatim } from "../../components/Verbatim.tsx";
import { visible } from "../../components/visible.ts";
import { type Attachment, captionsOf, mediaOf, titleOf, webAddressOf } from "./media.ts";

/** The files of a recording; what can be heard or seen is played here, and read from its host only when asked for. */
export function AttachmentList({ attachments }: { attachments: Attachment[] }) {
  const captions = captionsOf(attachments);
  const byAddress = new Map(attachments.map((attachment) => [attachment.url, attachment]));
  return (
    <ul className="attachments">
      {[...byAddress.values()].map((attachment) => (
        <li key={attachment.url}>
          <File attachment={attachment} captions={captions} />
        </li>
      ))}
    </ul>
  );
}

function File({ attachment, captions }: { attachment: Attachment; captions: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const media = mediaOf(attachment);
  const address = webAddressOf(attachment);
  const title = titleOf(attachment);
  return (
    <>
      <Text size="sm" component="div" className="details">
        {address ? (
          <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
            <Verbatim>{title}</Verbatim>
          </Anchor>
        ) : (
          <Verbatim>{title}</Verbatim>
        )}
        <Text span size="xs" c="dimmed">
          <Verbatim>
            {[attachment.mimeType, attachment.size !== undefined && formatBytes(attachment.size)]
              .filter(Boolean)
              .join(", ")}
          </Verbatim>
        </Text>
        {media && (
          <Button
            size="compact-xs"
            variant="default"
            aria-expanded={isOpen}
            aria-label={visible(`${isOpen ? "Close" : "Play"} ${title}`)}
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
        aria-label={visible(titleOf(attachment))}
        src={attachment.url}
        // Subtitles of another host are read only where the film is asked for in the same way.
        crossOrigin={captions ? "anonymous" : undefined}
        onError={() => setIsFailed(true)}
      >
        <track kind="captions" src={captions} default />
      </Media>
      {isFailed && (
        <Text size="sm" role="alert">
          This browser cannot play it from here: its address may be gone, ask for a sign-in, or be of a kind that the
          browser does not know. The link above opens it by itself.
        </Text>
      )}
    </>
  );
}
