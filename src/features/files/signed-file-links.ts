import type { Cipher } from "../../config/cipher.ts";
import type { FileLimits } from "../../config/config.ts";
import { ServiceError } from "../../contract/errors.ts";
import type { DownloadTarget, FileLinks, FileRef, NewUpload, UploadTarget } from "../../contract/file-links.ts";
import { isOrganizationKey } from "../../database/keys.ts";
import type { FileStore } from "../../files/file-store.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

/** Path to which clients send the bytes of files. */
export const UPLOAD_PATH = "/v2/files/upload";
/** Path from which clients read files. */
export const DOWNLOAD_PATH = "/v2/files/download";

/** Time in which an upload must begin. */
const UPLOAD_MS = 60 * 60 * 1000;
/** Time for which the URL of a download stays the same. It works for two to three times as long. */
const SAME_URL_MS = 5 * 60 * 1000;

type LinkUse = "upload" | "download";

/** Makes and verifies signed URLs. A token has the file, its end, and a keyed hash of both and of what it is for. */
export class SignedFileLinks implements FileLinks {
  readonly #cipher: Cipher;
  readonly #baseUrl: string;
  readonly #store: FileStore;
  readonly limits: FileLimits;
  readonly completeUpload?: (file: NewUpload) => Promise<boolean>;

  /** `baseUrl` is the public address of the service. */
  constructor(cipher: Cipher, store: FileStore, { baseUrl, limits }: { baseUrl: string; limits: FileLimits }) {
    this.#cipher = cipher;
    this.#baseUrl = baseUrl;
    this.#store = store;
    this.limits = limits;
    if (store.kind === "direct") this.completeUpload = (file) => store.complete(file, file);
  }

  async createUpload(file: NewUpload): Promise<UploadTarget> {
    const expiresAt = Date.now() + UPLOAD_MS;
    if (this.#store.kind === "direct") {
      return { ...(await this.#store.signUpload(file, file, UPLOAD_MS / 1000)), method: "PUT", expiresAt };
    }
    const { contentType } = file;
    const url = this.#build(UPLOAD_PATH, this.#sign("upload", file, expiresAt));
    return { url, method: "PUT", headers: { "content-type": contentType }, expiresAt };
  }

  getDownload(workspaceId: string, organizationId: string, fileId: string): DownloadTarget {
    const expiresAt = (Math.floor(Date.now() / SAME_URL_MS) + 3) * SAME_URL_MS;
    const file = { workspaceId, organizationKey: organizationKey(workspaceId, organizationId), fileId };
    return { url: this.#build(DOWNLOAD_PATH, this.#sign("download", file, expiresAt)), expiresAt };
  }

  /** Returns the file of a token, and when the token ends. Throws if the token is not for this use, or has ended. */
  verify(use: LinkUse, token: string): FileRef & { expiresAt: number } {
    const [workspaceId = "", key = "", fileId = "", end = "", signature = "", ...more] = token.split(".");
    const text = `${use}.${workspaceId}.${key}.${fileId}.${end}`;
    const isSigned = this.#cipher.matchesHash(text, Buffer.from(signature, "base64url"));
    if (!isSigned || more.length > 0 || !isOrganizationKey(key)) {
      throw new ServiceError("file_link_invalid", "The URL is not signed by this service. Read the record again.");
    }
    const expiresAt = Number(end);
    if (expiresAt <= Date.now()) {
      const remedy = use === "upload" ? "Call /v2/files/add again." : "Read the record again for a new URL.";
      throw new ServiceError("file_link_expired", `The URL has expired. ${remedy}`);
    }
    return { workspaceId, organizationKey: key, fileId, expiresAt };
  }

  #sign(use: LinkUse, { workspaceId, organizationKey: key, fileId }: FileRef, expiresAt: number): string {
    const signed = `${workspaceId}.${key}.${fileId}.${expiresAt}`;
    return `${signed}.${this.#cipher.hash(`${use}.${signed}`).toString("base64url")}`;
  }

  #build(path: string, token: string): string {
    return `${this.#baseUrl}${path}?token=${token}`;
  }
}
