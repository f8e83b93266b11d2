import type { ReactNode } from "react";
import { useUrlParameters } from "../url.ts";
import { DocumentPanel } from "./DocumentPanel.tsx";

interface DocumentPickerProps {
  organizationId: string;
  /** A hint above the list. */
  children: ReactNode;
}

/** A list of documents in which each links to this page with the URL parameter `document` set. */
export function DocumentPicker({ organizationId, children }: DocumentPickerProps) {
  const { link } = useUrlParameters();
  return (
    <DocumentPanel
      organizationId={organizationId}
      intro={children}
      linkTo={(document) => link({ document, editor: undefined, view: undefined, page: undefined })}
    />
  );
}
