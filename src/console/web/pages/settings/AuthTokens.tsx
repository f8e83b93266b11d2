import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { AuthToken } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { itemError } from "../../components/item-error.ts";
import { formatCount } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { CreateToken } from "./CreateToken.tsx";

/** Number of rows shown at first. The operation is not paginated. */
const INITIAL_ROWS = 100;

/** The auth tokens that backends send with the API key. */
export function AuthTokens() {
  const apiQuery = useApiQuery("/v2/workspace/authtokens/get", {});
  const [isOpen, { open, close }] = useDisclosure();
  const [isAll, setIsAll] = useState(false);
  return (
    <>
      <Panel
        title="Auth tokens"
        apiQuery={apiQuery}
        actions={
          <Button size="compact-xs" onClick={open}>
            Create token
          </Button>
        }
        isEmpty={({ authTokens }) => authTokens.length === 0}
        empty={
          <EmptyState>
            No auth tokens. Backends need one to call the API. Create one for each backend, so that you can revoke them
            independently.
          </EmptyState>
        }
      >
        {({ authTokens }) => (
          <>
            <ul className="rows">
              {authTokens.slice(0, isAll ? undefined : INITIAL_ROWS).map((token) => (
                <Row key={token.id} token={token} />
              ))}
            </ul>
            {!isAll && authTokens.length > INITIAL_ROWS && (
              <Button size="compact-sm" variant="default" mt="sm" onClick={() => setIsAll(true)}>
                Show all {formatCount(authTokens.length)}
              </Button>
            )}
          </>
        )}
      </Panel>
      <CreateToken isOpen={isOpen} onClose={close} />
    </>
  );
}

function Row({ token: { id, token, name, scopes, createdAt, expiresAt, lastUsedAt } }: { token: AuthToken }) {
  const lastCharacters = getLastCharacters(token);
  const isExpired = expiresAt !== null && expiresAt <= Date.now();
  return (
    <li>
      <div>
        <Text size="sm">
          <UntrustedText>{name}</UntrustedText>
        </Text>
        <Text size="xs" c="dimmed" component="div" className="details">
          {lastCharacters !== "" && <span>ends in {lastCharacters}</span>}
          <span>{scopes.join(", ")}</span>
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
        target={name}
        title={`Revoke ${name}?`}
        action="Revoke permanently"
        request={{ path: "/v2/workspace/authtokens/delete", data: { tokenIds: [id] } }}
        errorIn={(data) => itemError(data[id])}
      >
        <Text size="sm">
          Requests with this token are rejected. This cannot be undone: backends that use it need a new token.
          {lastUsedAt !== null && (
            <>
              {" "}
              It was last used <Time at={lastUsedAt} />.
            </>
          )}
        </Text>
      </ConfirmButton>
    </li>
  );
}

/** Returns the characters behind the mask of a token, which are empty for a short token. */
function getLastCharacters(masked: string): string {
  return masked.replace(/^\*+/, "");
}
