import { getDefaultZIndex, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { LinkRequest } from "./LinkRequest.tsx";
import { saveReturnPath } from "./return-path.ts";

/**
 * A dialog over the page after the session has expired, so that what was typed there stays. It closes when this or
 * another tab has signed in, and the page reads its data again.
 */
export function SessionEnded() {
  const queryClient = useQueryClient();
  useEffect(() => {
    saveReturnPath(location.pathname + location.search);
    return () => void queryClient.invalidateQueries();
  }, [queryClient]);
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Sign in to Colloquy"
      zIndex={getDefaultZIndex("overlay")}
    >
      <Stack>
        <Text size="sm" role="status">
          Your session has expired. Sign in to return to this page. What you have typed stays: open the link in another
          tab, and this one continues.
        </Text>
        <LinkRequest continueUrl={location.href} />
      </Stack>
    </Modal>
  );
}
