import type { Item } from "@colloquy/client";
import {
  type PagesActions,
  type Version,
  type VersionsData,
  type VersionsFilter,
  versionsStore,
} from "@colloquy/client/stores";
import { useMemo } from "react";
import { useSession } from "./provider.tsx";
import { useStore } from "./use-store.ts";

export type { Version };
/** A part of the content, and who added, removed or wrote it. */
export type VersionChange = Item<"/v2/crdt/versions/compare">;
/** The collaborative document whose versions are read. */
export type VersionsOptions = VersionsFilter;

/** The versions of a collaborative document, newest first. */
export interface VersionsState extends VersionsData, PagesActions {
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

/** Returns the versions of a collaborative document, kept up to date. */
export function useVersions({ documentId, editorId, kind }: VersionsOptions): VersionsState {
  const session = useSession();
  const { client, organizationId } = session;
  const ref = useMemo(() => ({ organizationId, documentId, editorId }), [organizationId, documentId, editorId]);
  const state = useStore(versionsStore(session, { documentId, editorId, kind }));
  const actions = useMemo(() => {
    return {
      async add(name: string) {
        await client.call("/v2/crdt/versions/add", { ...ref, name });
      },
      async rename(versionId: string, name: string) {
        await client.call("/v2/crdt/versions/update", { ...ref, versionId, name });
      },
      async restore(versionId: string) {
        const { data } = await client.call("/v2/crdt/versions/restore", { ...ref, versionId });
        return data.replacedVersionId;
      },
      async remove(versionId: string) {
        await client.call("/v2/crdt/versions/delete", { ...ref, versionIds: [versionId] });
      },
      async compare(versionId: string, otherVersionId?: string) {
        const compared = { ...ref, versionId, ...(otherVersionId !== undefined && { otherVersionId }) };
        return (await client.call("/v2/crdt/versions/compare", { ...compared, includeUnchanged: true })).data;
      },
    };
  }, [client, ref]);
  return { ...state, ...actions };
}
