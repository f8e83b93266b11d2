/** A file of a recording, as the backend describes it; all but its address may be missing. */
export interface Attachment {
  url: string;
  mimeType?: string;
  name?: string;
  type?: string;
  size?: number;
}

const EXTENSIONS: Record<string, "audio" | "video"> = {
  ...Object.fromEntries(["mp3", "m4a", "aac", "wav", "oga", "opus", "flac", "weba"].map((type) => [type, "audio"])),
  ...Object.fromEntries(["mp4", "m4v", "mov", "webm", "ogv", "mkv"].map((type) => [type, "video"])),
};

/** How it can be played in a page: by what the backend says of it, or else by how its address ends. */
export function mediaKind({ url, mimeType = "", type = "", name = "" }: Attachment): "audio" | "video" | undefined {
  const address = URL.parse(url);
  const inData = address?.protocol === "data:" ? address.pathname : "";
  if (!address || !(["http:", "https:"].includes(address.protocol) || inData)) return undefined;
  const [, kind] = /^(audio|video)\//i.exec(mimeType || inData) ?? [];
  if (kind) return kind.toLowerCase() === "audio" ? "audio" : "video";
  if (mimeType) return undefined;
  const ending = (text: string) => /(?:^|\.)(\w+)$/.exec(text)?.[1]?.toLowerCase() ?? "";
  for (const text of [type, name, address.pathname]) {
    const known = new Map(Object.entries(EXTENSIONS)).get(ending(text));
    if (known) return known;
  }
  return undefined;
}

/** Undefined where following it could do anything but show a page of the web. */
export function webUrl({ url }: Attachment): string | undefined {
  const address = URL.parse(url);
  return address && ["http:", "https:"].includes(address.protocol) ? address.href : undefined;
}

/** What it is called: its name, or else the end of its address. */
export function titleOf(attachment: Attachment): string {
  if (attachment.name) return attachment.name;
  const address = webUrl(attachment);
  const last = address && new URL(address).pathname.split("/").at(-1);
  return last ? decoded(last) : attachment.mimeType || attachment.type || "File";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Subtitles that belong to a recording, as a WebVTT file among its attachments. */
export function captionsUrl(attachments: Attachment[]): string | undefined {
  const captions = attachments.find(
    ({ mimeType, url }) => mimeType === "text/vtt" || URL.parse(url)?.pathname.toLowerCase().endsWith(".vtt"),
  );
  return captions && webUrl(captions);
}
