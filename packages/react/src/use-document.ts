import type { Client } from "@colloquy/client";
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
  const [opened, setOpened] = useState<{ client: Client; name: string; state: DocumentState }>();
  useEffect(() => openDocument(client, name, (state) => setOpened({ client, name, state })), [client, name]);
  // In the first render after a change of the name, this is still the editor that is about to be closed.
  const isCurrent = opened?.client === client && opened.name === name;
  return isCurrent ? opened.state : CLOSED;
}
