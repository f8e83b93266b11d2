import { asError } from "@colloquy/client/stores";
import { useEffect, useRef, useState } from "react";
import { type Attachment, readAttachment } from "./attachment.ts";
import { useSession } from "./provider.tsx";

/** Stores a file, and returns the attachment that references it. */
export type Upload = (
  file: File,
  options: {
    signal: AbortSignal;
    /** Reports which part of the file is stored, from 0 to 1. */
    onProgress: (progress: number) => void;
  },
) => Promise<Attachment>;

/** Returns what stores the attachments of a document: what a product gives, or else the service. */
export function useUpload(upload: Upload | false | undefined, documentId: string | undefined): Upload | undefined {
  const { client, organizationId } = useSession();
  if (upload !== undefined) return upload || undefined;
  if (documentId === undefined) return undefined;
  return async (file, options) => {
    const { uploadFile } = await import("@colloquy/client/upload");
    return uploadFile(client, file, { organizationId, documentId, ...options });
  };
}

/** A file that is being uploaded, or was. */
interface PendingFile {
  key: number;
  name: string;
  size: number;
  mimeType: string;
  /** Local URL of an image. */
  previewUrl: string | undefined;
  /** Part that is stored, from 0 to 1. */
  progress: number;
  error: Error | undefined;
  attachment: Attachment | undefined;
}

/** The files of a comment that is being written. */
export interface Uploads {
  files: PendingFile[];
  /** Whether all files are stored. */
  areStored: boolean;
  add(files: Iterable<File>): void;
  /** Cancels an upload, or takes a file out of the comment. */
  remove(key: number): void;
  retry(key: number): void;
  /** Takes all files out of the comment, and returns them. */
  take(): PendingFile[];
  /** Frees what files use that were sent. */
  release(files: PendingFile[]): void;
  /** Adds files that were taken out. */
  restore(files: PendingFile[]): void;
  /** Cancels all uploads, and takes all files out of the comment. */
  clear(): void;
}

/** Uploads files while a comment is being written. Those that still run when the component unmounts are canceled. */
export function useUploads(upload: Upload | undefined, initial: Attachment[] = []): Uploads {
  const [files, setFiles] = useState<PendingFile[]>(() => initial.map(toStored));
  const running = useRef(new Map<number, { file: File; abort: AbortController }>());
  const lastKey = useRef(initial.length);

  function change(key: number, changes: Partial<PendingFile>): void {
    setFiles((before) => before.map((file) => (file.key === key ? { ...file, ...changes } : file)));
  }

  function start(key: number, file: File): void {
    const abort = new AbortController();
    running.current.set(key, { file, abort });
    const report = (progress: number) => change(key, { progress });
    upload?.(file, { signal: abort.signal, onProgress: report }).then(
      (attachment) => change(key, { attachment, progress: 1 }),
      (error: unknown) => !abort.signal.aborted && change(key, { error: asError(error) }),
    );
  }

  function discard(key: number): void {
    running.current.get(key)?.abort.abort();
    running.current.delete(key);
  }

  function discardAll(): void {
    for (const key of running.current.keys()) discard(key);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: It discards what runs in the end.
  useEffect(() => discardAll, []);

  return {
    files,
    areStored: files.every(({ attachment }) => attachment !== undefined),
    add(added) {
      for (const file of added) {
        lastKey.current += 1;
        const key = lastKey.current;
        setFiles((before) => [...before, toPending(key, file)]);
        start(key, file);
      }
    },
    remove(key) {
      discard(key);
      revoke(files.filter((file) => file.key === key));
      setFiles((before) => before.filter((file) => file.key !== key));
    },
    retry(key) {
      const file = running.current.get(key)?.file;
      if (!file) return;
      change(key, { error: undefined, progress: 0 });
      start(key, file);
    },
    take() {
      setFiles([]);
      return files;
    },
    release: revoke,
    restore(taken) {
      setFiles((added) => [...taken, ...added]);
    },
    clear() {
      discardAll();
      revoke(files);
      setFiles([]);
    },
  };
}

function toPending(key: number, file: File): PendingFile {
  const { name, size, type: mimeType } = file;
  const previewUrl = mimeType.startsWith("image/") ? URL.createObjectURL(file) : undefined;
  return { key, name, size, mimeType, previewUrl, progress: 0, error: undefined, attachment: undefined };
}

function toStored(attachment: Attachment, key: number): PendingFile {
  const { name = "", size = 0, mimeType = "", url } = readAttachment(attachment);
  const previewUrl = mimeType.startsWith("image/") ? url : undefined;
  return { key, name, size, mimeType, previewUrl, progress: 1, error: undefined, attachment };
}

function revoke(files: PendingFile[]): void {
  for (const { previewUrl } of files) {
    if (previewUrl?.startsWith("blob:")) URL.revokeObjectURL(previewUrl);
  }
}
