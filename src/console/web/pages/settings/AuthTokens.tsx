import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useApiQuery } from "../../api/use-api.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { formatCount } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { CreateToken } from "./CreateToken.tsx";

/** The operation has no pages; more rows than this are shown when they are asked for. */
const SHOWN = 100;

interface AuthToken {
  id: string;
  name: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

/** What backends show beside the API key. */
export function AuthTokens() {
  const apiQuery = useApiQuery<AuthToken[]>("/v2/workspace/authtokens/get", {});
  const [isOpen, { open, close }] = useDisclosure();
  const [isAll, setIsAll] = useState(false);
  return (
    <>
      <Panel
        title="Auth tokens"
        apiQuery={apiQuery}
        actions={
          <Button size="compact-xs" onClick={open}>
            Create a token
          </Button>
        }
        isEmpty={(tokens) => tokens.length === 0}
        empty={
          <EmptyState>
            There is no token: no backend can call the API with the key of this workspace. Create one for each backend,
            so that each can be revoked by itself.
          </EmptyState>
        }
      >
        {(tokens) => (
          <>
            <ul className="rows">
              {tokens.slice(0, isAll ? undefined : SHOWN).map((token) => (
                <Row key={token.id} token={token} />
              ))}
            </ul>
            {!isAll && tokens.length > SHOWN && (
              <Button size="compact-sm" variant="default" mt="sm" onClick={() => setIsAll(true)}>
                Show all {formatCount(tokens.length)}
              </Button>
            )}
          </>
        )}
      </Panel>
      <CreateToken isOpen={isOpen} onClose={close} />
    </>
  );
}

function Row({ token: { id, name, createdAt, expiresAt, lastUsedAt } }: { token: AuthToken }) {
  const isExpired = expiresAt !== null && expiresAt <= Date.now();
  return (
    <li>
      <div>
        <Text size="sm">
          <UntrustedText>{name}</UntrustedText>
        </Text>
        <Text size="xs" c="dimmed" component="div" className="details">
          <span>
            created <Time at={createdAt} />
          </span>
          <span>{lastUsedAt === null ? "never used" : <>last used {<Time at={lastUsedAt} />}</>}</span>
          <span>
            {expiresAt === null ? (
              "never expires"
            ) : (
              <>
                {isExpired ? "expired" : "expires"} {<Time at={expiresAt} />}
              </>
            )}
          </span>
        </Text>
      </div>
      <ConfirmButton
        label="Revoke…"
        what={name}
        title={`Revoke ${name}?`}
        action="Revoke for good"
        request={{ path: "/v2/workspace/authtokens/delete", data: { tokenIds: [id] } }}
        itemId={id}
      >
        <Text size="sm">
          Requests with this token are refused. It cannot be undone: whoever uses it needs another one
          {lastUsedAt === null ? "" : <>; it was last used {<Time at={lastUsedAt} />}</>}.
        </Text>
      </ConfirmButton>
    </li>
  );
}
