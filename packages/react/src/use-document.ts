import type { Client } from "@colloquy/client";
import { useMemo, useSyncExternalStore } from "react";
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

/**
 * Opens a collaborative document until the component unmounts or is hidden. The document is undefined in the first
 * render.
 */
export function useDocument({ documentId, editorId }: DocumentOptions): RetryableDocument {
  const { client, organizationId } = useSession();
  const name = [organizationId, documentId, editorId].map(encodeURIComponent).join("/");
  const { subscribe, getState, retry } = useMemo(() => createStore(client, name), [client, name]);
  const state = useSyncExternalStore(subscribe, getState, getClosed);
  return { ...state, retry };
}

function getClosed(): DocumentState {
  return CLOSED;
}

/** Returns a store that has a document open while it has a subscriber. */
function createStore(client: Client<"page">, name: string) {
  let state = CLOSED;
  let opened: OpenedDocument | undefined;
  return {
    getState: () => state,
    retry: () => opened?.retry(),
    subscribe(onChange: () => void): () => void {
      const report = (next: DocumentState) => {
        state = next;
        onChange();
      };
      opened = openDocument(client, name, report);
      // The document of the last user was closed, and is another one for the next.
      const forgetReset = client.onReset(() => {
        opened = openDocument(client, name, report);
      });
      return () => {
        forgetReset();
        opened?.close();
        [opened, state] = [undefined, CLOSED];
      };
    },
  };
}
