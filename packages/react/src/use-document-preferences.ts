import type { Item } from "@colloquy/client";
import { asError, type PreferenceChanges, preferencesStore } from "@colloquy/client/stores";
import { useCallback, useEffect, useState } from "react";
import { useSession } from "./provider.tsx";

/** A document for which the user has preferences. */
type DocumentPreferences = Item<"/v2/notifications/config/documents/get">;

interface DocumentPreferencesState {
  data: DocumentPreferences[];
  isLoading: boolean;
  error: Error | undefined;
}

const LOADING: DocumentPreferencesState = { data: [], isLoading: true, error: undefined };

/** Returns the documents for which the user has preferences of their own, and the function that changes those. */
export function useDocumentPreferences(): DocumentPreferencesState & {
  retry(): void;
  /** Changes the preferences for a document. Throws if the service rejects it. */
  set(documentId: string, changes: PreferenceChanges): Promise<void>;
} {
  const session = useSession();
  const { client, organizationId, userId } = session;
  const [state, setState] = useState(LOADING);
  const read = useCallback(
    async (signal?: AbortSignal) => {
      try {
        const data: DocumentPreferences[] = [];
        const place = { organizationId, userId };
        for await (const each of client.list("/v2/notifications/config/documents/get", place, { signal }))
          data.push(each);
        setState({ data, isLoading: false, error: undefined });
      } catch (error) {
        if (!signal?.aborted) setState((before) => ({ ...before, isLoading: false, error: asError(error) }));
      }
    },
    [client, organizationId, userId],
  );
  useEffect(() => {
    const reading = new AbortController();
    setState(LOADING);
    void read(reading.signal);
    return () => reading.abort();
  }, [read]);
  return {
    ...state,
    retry() {
      setState(LOADING);
      void read();
    },
    async set(documentId, changes) {
      await preferencesStore(session, { documentId }).set(changes);
      await read();
    },
  };
}
