import type { Client } from "@colloquy/client";
import type { EditorSchema } from "@colloquy/client/schema";
import { useMemo, useSyncExternalStore } from "react";
import {
  CLOSED,
  type CollaborativeDocumentRef,
  type DocumentState,
  type OpenedDocument,
  openDocument,
} from "./open-document.ts";
import { useSession } from "./provider.tsx";

/** The collaborative document to open. */
export interface DocumentOptions {
  documentId: string;
  /** ID of a collaborative document that `/v2/crdt/add` has created. */
  editorId: string;
  /**
   * Schema of the editor of the page, as `toEditorSchema` of `@colloquy/client/schema` returns it. A document that has
   * more than it knows is read-only. A change of its version opens the document again.
   */
  schema?: EditorSchema;
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
export function useDocument({ documentId, editorId, schema }: DocumentOptions): RetryableDocument {
  const { client, organizationId } = useSession();
  const guarded = schema && JSON.stringify(schema);
  const { subscribe, getState, retry } = useMemo(() => {
    const ref = { organizationId, documentId, editorId };
    return createStore(client, ref, guarded === undefined ? undefined : JSON.parse(guarded));
  }, [client, organizationId, documentId, editorId, guarded]);
  const state = useSyncExternalStore(subscribe, getState, getClosed);
  return { ...state, retry };
}

function getClosed(): DocumentState {
  return CLOSED;
}

/** Returns a store that has a document open while it has a subscriber. */
function createStore(client: Client<"page">, ref: CollaborativeDocumentRef, schema: EditorSchema | undefined) {
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
      opened = openDocument({ client, ref, schema }, report);
      // The document of the last user must not be shown to the next, who gets another one once all others are closed.
      const forgetReset = client.onReset(() => {
        report(CLOSED);
        queueMicrotask(() => {
          if (opened) opened = openDocument({ client, ref, schema }, report);
        });
      });
      return () => {
        forgetReset();
        opened?.close();
        [opened, state] = [undefined, CLOSED];
      };
    },
  };
}
