import { useEffect, useState } from "react";
import { CLOSED, type DocumentState, openDocument } from "./open-document.ts";
import { useSession } from "./provider.tsx";

/** The editor to open. */
export interface DocumentOptions {
  documentId: string;
  /** ID of an editor that `/v2/crdt/add` has created. */
  editorId: string;
}

/** Opens a collaborative editor until the component unmounts. The document is undefined in the first render. */
export function useDocument({ documentId, editorId }: DocumentOptions): DocumentState {
  const { client, organizationId } = useSession();
  const name = [organizationId, documentId, editorId].map(encodeURIComponent).join("/");
  const [state, setState] = useState<DocumentState>(CLOSED);
  useEffect(() => openDocument(client, name, setState), [client, name]);
  return state;
}
