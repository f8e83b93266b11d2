import type { Client } from "@colloquy/client";
import { createContext, type ReactElement, type ReactNode, useContext, useMemo } from "react";

/** The user of a page and where their data is. */
export interface Session {
  client: Client<"page">;
  organizationId: string;
  /** User whose token the client sends. */
  userId: string;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Gives the hooks and components below it a client, an organization and the user. */
export function ColloquyProvider(props: Session & { children?: ReactNode }): ReactElement {
  const { client, organizationId, userId, children } = props;
  const session = useMemo(() => ({ client, organizationId, userId }), [client, organizationId, userId]);
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/** Returns the session of the nearest provider. Throws if there is none. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("Hooks and components of @colloquy/react must be within a ColloquyProvider.");
  return session;
}
