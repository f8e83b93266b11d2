import type { Item } from "@colloquy/client";
import { asError } from "@colloquy/client/stores";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSession } from "./provider.tsx";

/** A version of a collaborative document. */
export type Version = Item<"/v2/crdt/versions/list">;
/** A part of the content, and who added, removed or wrote it. */
export type VersionChange = Item<"/v2/crdt/versions/compare">;

/** The collaborative document whose versions are read. */
export interface VersionsOptions {
  documentId: string;
  editorId: string;
  /** Both kinds by default. */
  kind?: Version["kind"] | undefined;
}

/** The versions of a collaborative document, newest first. */
export interface VersionsState {
  data: Version[];
  isLoading: boolean;
  error: Error | undefined;
  hasMore: boolean;
  /** Reads the list again from its beginning. */
  reload(): Promise<void>;
  loadMore(): Promise<void>;
  /** Stores the present content under a name. */
  add(name: string): Promise<void>;
  /** Names a version, which keeps an automatic one. */
  rename(versionId: string, name: string): Promise<void>;
  /** Restores a version. Returns the ID of the version that has what it replaced; restoring that one undoes it. */
  restore(versionId: string): Promise<string | null>;
  remove(versionId: string): Promise<void>;
  /** Compares a version with another one, by default with the present content. Unchanged parts are included. */
  compare(versionId: string, otherVersionId?: string): Promise<VersionChange[]>;
}

const PAGE_SIZE = 50;
const NONE = { data: [] as Version[], isLoading: true, error: undefined as Error | undefined };

/** Reads the versions of a collaborative document, which it reads again after each change that is made by it. */
export function useVersions({ documentId, editorId, kind }: VersionsOptions): VersionsState {
  const { client, organizationId } = useSession();
  const ref = useMemo(() => ({ organizationId, documentId, editorId }), [organizationId, documentId, editorId]);
  const [state, setState] = useState({ ...NONE, pageToken: undefined as string | undefined });
  const lastRead = useRef(0);
  const read = useCallback(
    async (pageToken?: string) => {
      const number = ++lastRead.current;
      setState((before) => ({ ...before, isLoading: true }));
      const request = { ...ref, ...(kind && { kind }), ...(pageToken && { pageToken }), pageSize: PAGE_SIZE };
      const next = await client.call("/v2/crdt/versions/list", request).then(
        (response) => ({ response, error: undefined }),
        (error: unknown) => ({ response: undefined, error: asError(error) }),
      );
      // Only the newest read counts.
      if (number !== lastRead.current) return;
      setState(({ data, pageToken: before }) => ({
        data: next.response ? [...(pageToken ? data : []), ...next.response.data] : data,
        pageToken: next.response ? next.response.pageToken : before,
        ...{ isLoading: false, error: next.error },
      }));
    },
    [client, ref, kind],
  );
  useEffect(() => {
    setState({ ...NONE, pageToken: undefined });
    void read();
    return () => {
      lastRead.current++;
    };
  }, [read]);
  const actions = useMemo(() => {
    return {
      reload: () => read(),
      async add(name: string) {
        await client.call("/v2/crdt/versions/add", { ...ref, name });
        await read();
      },
      async rename(versionId: string, name: string) {
        await client.call("/v2/crdt/versions/update", { ...ref, versionId, name });
        await read();
      },
      async restore(versionId: string) {
        const { data } = await client.call("/v2/crdt/versions/restore", { ...ref, versionId });
        await read();
        return data.replacedVersionId;
      },
      async remove(versionId: string) {
        await client.call("/v2/crdt/versions/delete", { ...ref, versionIds: [versionId] });
        await read();
      },
      async compare(versionId: string, otherVersionId?: string) {
        const compared = { ...ref, versionId, ...(otherVersionId !== undefined && { otherVersionId }) };
        return (await client.call("/v2/crdt/versions/compare", { ...compared, includeUnchanged: true })).data;
      },
    };
  }, [client, ref, read]);
  const { pageToken, ...shown } = state;
  return { ...shown, ...actions, hasMore: pageToken !== undefined, loadMore: () => read(pageToken) };
}
