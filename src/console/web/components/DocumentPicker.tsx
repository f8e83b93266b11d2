import type { ReactNode } from "react";
import { useUrlParameters } from "../url.ts";
import { DocumentPanel } from "./DocumentPanel.tsx";

interface DocumentPickerProps {
  organizationId: string;
  /** What the page does with the one that is chosen. */
  children: ReactNode;
}

/** The documents of an organization, each a way to this page with the address's parameter `document` set. */
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
