import type { Client } from "@colloquy/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { CLOSED, type DocumentState, type OpenedDocument, openDocument } from "./open-document.ts";
import { useSession } from "./provider.tsx";

/** The collaborative document to open. */
export interface DocumentOptions {
  documentId: string;
  /** ID of a collaborative document that `/v2/crdt/add` has created. */
  editorId: string;
}

/** A collaborative document that can be connected again. */
export interface RetryableDocument extends DocumentState {
  /** Connects the document again after an error, with what was typed meanwhile. Does nothing without an error. */
  retry(): void;
}

/** Opens a collaborative document until the component unmounts. The document is undefined in the first render. */
export function useDocument({ documentId, editorId }: DocumentOptions): RetryableDocument {
  const { client, organizationId } = useSession();
  const name = [organizationId, documentId, editorId].map(encodeURIComponent).join("/");
  const [shown, setShown] = useState<{ client: Client; name: string; state: DocumentState }>();
  const opened = useRef<OpenedDocument>(undefined);
  useEffect(() => {
    const document = openDocument(client, name, (state) => setShown({ client, name, state }));
    opened.current = document;
    return () => {
      document.close();
      // An Activity keeps the state while it is hidden.
      setShown(undefined);
    };
  }, [client, name]);
  const retry = useCallback(() => opened.current?.retry(), []);
  // In the first render after a change of the name, this is still the document that is about to be closed.
  const isCurrent = shown?.client === client && shown.name === name;
  return { ...(isCurrent ? shown.state : CLOSED), retry };
}
