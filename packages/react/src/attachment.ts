import type { Comment } from "@colloquy/client";

/** A file of a comment. */
export type Attachment = Comment["attachments"][number];

const TYPES = {
  ...{ size: "number", width: "number", height: "number", urlExpiresAt: "number" },
  ...{ fileId: "string", name: "string", mimeType: "string", type: "string", url: "string" },
} as const;

/** Characters that change the direction of the following text, and so disguise the end of a file's name. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns the usual fields of an attachment. The service does not validate them, so a field of another type, or a
 * negative number, is left out.
 */
export function readAttachment(attachment: Attachment): Attachment & { width?: number; height?: number } {
  return Object.fromEntries(
    Object.entries(TYPES).flatMap(([field, type]) => {
      const value: unknown = attachment[field];
      if (typeof value !== type || (typeof value === "number" && value < 0)) return [];
      return [[field, field === "name" ? String(value).replace(DIRECTION_MARKS, "") : value]];
    }),
  );
}
