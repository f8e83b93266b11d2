import { Anchor } from "@mantine/core";
import { attachmentTitle, webUrl } from "./attachment.ts";
import { UntrustedText } from "./UntrustedText.tsx";

/** The title of a file, which opens it in a new tab if its URL is safe to link to. */
export function AttachmentLink({ attachment }: { attachment: Parameters<typeof attachmentTitle>[0] }) {
  const url = webUrl(attachment);
  const title = <UntrustedText>{attachmentTitle(attachment)}</UntrustedText>;
  if (url === undefined) return title;
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
      {title}
    </Anchor>
  );
}
