import { type InitialData, type Session, setInitialData } from "@colloquy/client/stores";
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { removeDrafts } from "./drafts.ts";

export type { Session };

const SessionContext = createContext<Session | undefined>(undefined);

/** Props of `ColloquyProvider`. */
export interface ColloquyProviderProps extends Session {
  /** What `readInitialData` has read on the server. Hooks return it in the first render. */
  initialData?: InitialData | undefined;
  children?: ReactNode;
}

/** Gives the hooks and components below it a client, an organization and the user. */
export function ColloquyProvider(props: ColloquyProviderProps): ReactElement {
  const { client, organizationId, userId, children } = props;
  // Functions that are written into the element are other ones in each render.
  const latest = useRef(props);
  latest.current = props;
  // Only the first render shows what the server has read.
  useState(() => props.initialData && setInitialData(props, props.initialData));
  const [resolves, searches] = [props.resolveUsers !== undefined, props.searchUsers !== undefined];
  const session = useMemo((): Session => {
    return {
      ...{ client, organizationId, userId },
      ...(resolves && { resolveUsers: (userIds) => latest.current.resolveUsers?.(userIds) ?? [] }),
      ...(searches && { searchUsers: (text, place) => latest.current.searchUsers?.(text, place) ?? [] }),
    };
  }, [client, organizationId, userId, resolves, searches]);
  useEffect(() => client.onReset(() => removeDrafts(userId)), [client, userId]);
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/** Returns the session of the nearest provider. Throws if there is none. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("Hooks and components of @colloquy/react must be within a ColloquyProvider.");
  return session;
}
