import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { revealBidiControls } from "../../components/bidi.ts";
import { formatBytes } from "../../components/numbers.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { type Attachment, captionsUrl, mediaKind, titleOf, webUrl } from "./media.ts";

/** The files of a recording; what can be heard or seen is played here, and read from its host only when asked for. */
export function AttachmentList({ attachments }: { attachments: Attachment[] }) {
  const captions = captionsUrl(attachments);
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
  const media = mediaKind(attachment);
  const address = webUrl(attachment);
  const title = titleOf(attachment);
  return (
    <>
      <Text size="sm" component="div" className="details">
        {address ? (
          <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
            <UntrustedText>{title}</UntrustedText>
          </Anchor>
        ) : (
          <UntrustedText>{title}</UntrustedText>
        )}
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
        aria-label={revealBidiControls(titleOf(attachment))}
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
