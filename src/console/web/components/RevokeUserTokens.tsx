import { Group, Text } from "@mantine/core";
import { useState } from "react";
import { ConfirmButton } from "./ConfirmButton.tsx";
import { itemError } from "./item-error.ts";

interface RevokeUserTokensProps {
  /** Empty if no user is chosen yet. */
  userId: string;
  onDone?: () => void;
}

/** Revokes all user tokens of a user, after a confirmation, and says so. */
export function RevokeUserTokens({ userId, onDone }: RevokeUserTokensProps) {
  const [isRevoked, setIsRevoked] = useState(false);
  return (
    <Group gap={0}>
      <Text size="sm" role="status" mr={isRevoked ? "xs" : 0}>
        {isRevoked && "Tokens revoked."}
      </Text>
      <ConfirmButton
        label="Revoke tokens…"
        target={userId}
        size="sm"
        isDisabled={userId === ""}
        title={`Revoke all user tokens of ${userId}?`}
        action="Revoke tokens"
        request={{ path: "/v2/auth/tokens/revoke", data: { userIds: [userId] } }}
        errorIn={(data) => itemError(data[userId])}
        onDone={() => {
          setIsRevoked(true);
          onDone?.();
        }}
      >
        <Text size="sm">
          Requests with a token that was issued until now are rejected, in every page that the user has open. This
          cannot be undone. The user can continue as soon as your backend generates a new token. Permissions stay.
        </Text>
      </ConfirmButton>
    </Group>
  );
}
