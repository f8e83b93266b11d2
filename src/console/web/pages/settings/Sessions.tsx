import { Badge, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Session } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { itemError } from "../../components/item-error.ts";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { SignOutButton } from "../../layout/SignOutButton.tsx";
import { CONSOLE_PATH } from "../../url.ts";
import { browserName } from "./browser.ts";

const PATH = "/v2/workspace/sessions/delete";

/** The active sessions of the owner. */
export function Sessions() {
  const apiQuery = useApiQuery("/v2/workspace/sessions/get", {});
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <Panel
      title="Active sessions"
      apiQuery={apiQuery}
      actions={
        <ConfirmButton
          label="Sign out everywhere…"
          title="Sign out everywhere?"
          action="Sign out everywhere"
          request={{ path: PATH, data: {} }}
          endsSession
          onDone={() => {
            navigate(`~${CONSOLE_PATH}/sign-in`);
            queryClient.clear();
          }}
        >
          <Text size="sm">Ends all of your sessions, including this one. Auth tokens stay valid.</Text>
        </ConfirmButton>
      }
      isEmpty={(sessions) => sessions.length === 0}
      empty={<EmptyState>No active sessions.</EmptyState>}
    >
      {(sessions) => (
        <ul className="rows">
          {sessions.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Row({ session: { id, createdAt, lastUsedAt, expiresAt, userAgent, isCurrent } }: { session: Session }) {
  const browser = browserName(userAgent);
  return (
    <li>
      <div>
        <Text size="sm" title={revealBidiControls(userAgent)}>
          <UntrustedText>{browser}</UntrustedText>{" "}
          {isCurrent && (
            <Badge variant="default" tt="none" size="sm">
              Current
            </Badge>
          )}
        </Text>
        <Text size="xs" c="dimmed" component="div" className="details">
          <span>
            signed in <Time at={createdAt} />
          </span>
          <span>
            last used <Time at={lastUsedAt} />
          </span>
          <span>
            expires <Time at={expiresAt} isRoundedUp />, or after 24 hours without use
          </span>
        </Text>
      </div>
      {isCurrent ? (
        <SignOutButton />
      ) : (
        <ConfirmButton
          label="Sign out…"
          target={browser}
          title={`Sign out ${browser}?`}
          action="Sign out"
          request={{ path: PATH, data: { sessionIds: [id] } }}
          errorIn={(data) => itemError(data[id])}
        >
          <Text size="sm">That browser has to sign in again.</Text>
        </ConfirmButton>
      )}
    </li>
  );
}
