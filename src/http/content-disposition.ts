/** Media types that browsers show without running anything. Others are downloaded. */
const SHOWN = /^(image\/(png|jpeg|gif|webp|avif|bmp)|(video|audio)\/[\w.+-]+|text\/plain)$/;

/** Returns the media type of a Content-Type header without its parameters, in lower case. */
function getMediaType(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/**
 * Returns the Content-Disposition of a file (RFC 6266): `inline` only if a browser shows it without running anything.
 * The name is given in UTF-8, and in ASCII for old clients. No character of it ends the header or hides the rest.
 */
export function buildContentDisposition(name: string, contentType: string): string {
  const disposition = SHOWN.test(getMediaType(contentType)) ? "inline" : "attachment";
  const safe = toFileName(name);
  const ascii = safe.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(safe).replaceAll(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Returns a name without folders, control characters, and marks that change the direction of the text. */
function toFileName(name: string): string {
  const last = name.toWellFormed().split(/[\\/]/).at(-1) ?? "";
  const cleaned = last.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  return /^\.*$/.test(cleaned) ? "file" : cleaned;
}
