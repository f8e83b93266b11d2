/** A file that lies on a server of the backend, with what its record says about it. */
interface File {
  url: string;
  name?: string;
  mimeType?: string;
  type?: string;
}

/** Returns the URL if it is safe to link to: http or https. */
export function webUrl({ url }: { url: string }): string | undefined {
  const parsed = URL.parse(url);
  return parsed && ["http:", "https:"].includes(parsed.protocol) ? parsed.href : undefined;
}

/** Returns the name of an attachment, or else the file name in its URL. */
export function attachmentTitle(attachment: File): string {
  if (attachment.name) return attachment.name;
  const url = webUrl(attachment);
  const last = url && new URL(url).pathname.split("/").at(-1);
  return last ? decoded(last) : attachment.mimeType || attachment.type || "File";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
