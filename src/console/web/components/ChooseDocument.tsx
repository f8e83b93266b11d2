import type { ReactNode } from "react";
import { useParameters } from "../address.ts";
import { DocumentPanel } from "./DocumentPanel.tsx";

interface ChooseDocumentProps {
  organizationId: string;
  /** What the page does with the one that is chosen. */
  children: ReactNode;
}

/** The documents of an organization, each a way to this page with the address's parameter `document` set. */
export function ChooseDocument({ organizationId, children }: ChooseDocumentProps) {
  const { link } = useParameters();
  return (
    <DocumentPanel
      organizationId={organizationId}
      intro={children}
      linkTo={(document) => link({ document, editor: undefined, view: undefined, page: undefined })}
    />
  );
}
