import { Anchor } from "@mantine/core";
import { attachmentTitle, webUrl } from "./attachment.ts";
import { UntrustedText } from "./UntrustedText.tsx";

interface AttachmentLinkProps {
  attachment: Parameters<typeof attachmentTitle>[0];
  /** -1 in a row that opens as a whole, whose arrow keys reach the link. */
  tabIndex?: -1 | undefined;
}

/** The title of a file, which opens it in a new tab if its URL is safe to link to. */
export function AttachmentLink({ attachment, tabIndex }: AttachmentLinkProps) {
  const url = webUrl(attachment);
  const title = <UntrustedText>{attachmentTitle(attachment)}</UntrustedText>;
  if (url === undefined) return title;
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm" tabIndex={tabIndex}>
      {title}
    </Anchor>
  );
}
