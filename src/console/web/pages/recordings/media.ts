import type { Recording } from "../../api/records.ts";
import { webUrl } from "../../components/attachment.ts";

/** A file of a recording as the backend describes it. */
export type Attachment = NonNullable<Recording["attachments"]>[number];

const EXTENSIONS: Record<string, "audio" | "video"> = {
  ...Object.fromEntries(["mp3", "m4a", "aac", "wav", "oga", "opus", "flac", "weba"].map((type) => [type, "audio"])),
  ...Object.fromEntries(["mp4", "m4v", "mov", "webm", "ogv", "mkv"].map((type) => [type, "video"])),
};

/** Returns how an attachment can be played: by its MIME type, or else by its file extension. */
export function mediaKind({ url, mimeType = "", type = "", name = "" }: Attachment): "audio" | "video" | undefined {
  const parsed = URL.parse(url);
  const dataType = parsed?.protocol === "data:" ? parsed.pathname : "";
  if (!parsed || !(["http:", "https:"].includes(parsed.protocol) || dataType)) return undefined;
  const [, kind] = /^(audio|video)\//i.exec(mimeType || dataType) ?? [];
  if (kind) return kind.toLowerCase() === "audio" ? "audio" : "video";
  if (mimeType) return undefined;
  const getExtension = (text: string) => /(?:^|\.)(\w+)$/.exec(text)?.[1]?.toLowerCase() ?? "";
  for (const text of [type, name, parsed.pathname]) {
    const media = new Map(Object.entries(EXTENSIONS)).get(getExtension(text));
    if (media) return media;
  }
  return undefined;
}

/** Returns the URL of a recording's subtitles, a WebVTT file among its attachments. */
export function captionsUrl(attachments: Attachment[]): string | undefined {
  const captions = attachments.find(
    ({ mimeType, url }) => mimeType === "text/vtt" || URL.parse(url)?.pathname.toLowerCase().endsWith(".vtt"),
  );
  return captions && webUrl(captions);
}
