import type { Client } from "@colloquy/client";
import { createContext, type ReactElement, type ReactNode, useContext, useMemo } from "react";
import { type SharedStreams, streamsOf } from "./shared-stream.ts";

/** The user of a page and where their data is. */
export interface Session {
  client: Client;
  organizationId: string;
  /** User whose token the client sends. */
  userId: string;
}

interface Provided extends Session {
  streams: SharedStreams;
}

const SessionContext = createContext<Provided | undefined>(undefined);

/** Gives the hooks and components below it a client, an organization and the user. */
export function ColloquyProvider(props: Session & { children?: ReactNode }): ReactElement {
  const { client, organizationId, userId, children } = props;
  const session = useMemo(
    () => ({ client, organizationId, userId, streams: streamsOf(client) }),
    [client, organizationId, userId],
  );
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/** Returns the session of the nearest provider. Throws if there is none. */
export function useSession(): Session {
  return useProvided();
}

/** Returns the session with the streams that its hooks share. */
export function useProvided(): Provided {
  const provided = useContext(SessionContext);
  if (!provided) throw new Error("Hooks and components of @colloquy/react must be within a ColloquyProvider.");
  return provided;
}
