import type { ReactElement } from "react";
import { describeFile, FileCard, getExtension } from "./file-card.tsx";
import { Icon } from "./icons.tsx";
import { useTexts } from "./texts.tsx";
import type { Uploads } from "./use-uploads.ts";

/** Shows the files of a comment that is being written, with their progress. */
export function UploadList({ uploads }: { uploads: Uploads }): ReactElement | null {
  const texts = useTexts();
  if (uploads.files.length === 0) return null;
  return (
    <ul className="colloquy-attachments" aria-label={texts.attachments}>
      {uploads.files.map(({ key, name, size, previewUrl, progress, error, attachment }) => (
        <li key={key} className="colloquy-file" data-failed={error !== undefined}>
          <FileCard
            name={name}
            imageUrl={previewUrl}
            note={error ? texts.uploadFailed : describeFile(getExtension(name), size, texts)}
          >
            {error && (
              <>
                <span className="colloquy-hidden" role="alert">
                  {`${name}: ${texts.uploadFailed}`}
                </span>
                <button
                  type="button"
                  className="colloquy-button"
                  data-variant="link"
                  onClick={() => uploads.retry(key)}
                >
                  {texts.tryAgain}
                </button>
              </>
            )}
            <button
              type="button"
              className="colloquy-icon-button"
              data-variant="quiet"
              aria-label={texts.removeFile(name)}
              onClick={() => uploads.remove(key)}
            >
              <Icon name="close" />
            </button>
            {!attachment && !error && (
              <progress className="colloquy-progress" value={progress} max={1} aria-label={texts.uploading(name)} />
            )}
          </FileCard>
        </li>
      ))}
    </ul>
  );
}
