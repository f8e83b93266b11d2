import type { FileLimits } from "../config/config.ts";
import type { OrganizationKey } from "../database/keys.ts";

/** A file, and the workspace to which its organization belongs. */
export interface FileRef {
  workspaceId: string;
  organizationKey: OrganizationKey;
  fileId: string;
}

/** How a client sends the bytes of a file. */
export interface UploadTarget {
  url: string;
  method: "PUT";
  /** Headers that the request must have. */
  headers: Record<string, string>;
  /** Time until which it can begin, in milliseconds since the epoch. */
  expiresAt: number;
}

/** A file that is to be uploaded. */
export interface NewUpload extends FileRef {
  contentType: string;
  size: number;
  checksum: string | null;
}

/** Signed URL of a file. */
export interface DownloadTarget {
  url: string;
  /** Time until which it works, in milliseconds since the epoch. */
  expiresAt: number;
}

/** Makes signed URLs. Each is for one file, and ends. */
export interface FileLinks {
  readonly limits: FileLimits;
  /** Returns where the bytes of a new file are sent to. */
  createUpload(file: NewUpload): Promise<UploadTarget>;
  /**
   * Makes the bytes that a client has sent to another host those of the file. Returns false if they are not there, or
   * not as expected. Undefined if clients send them to the service.
   */
  completeUpload?: (file: NewUpload) => Promise<boolean>;
  /** Returns the URL of a file of an organization. It is the same for five minutes, so that browsers cache the file. */
  getDownload(workspaceId: string, organizationId: string, fileId: string): DownloadTarget;
}
