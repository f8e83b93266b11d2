import { Button, Radio, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useApiMutation } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

interface DeleteUserProps {
  userId: string;
  organizationId: string | undefined;
}

/** Asks what is to be deleted and starts it; the address then names the job, so that it can be followed and shared. */
export function DeleteUser({ userId, organizationId }: DeleteUserProps) {
  const { change } = useUrlParameters();
  const [isOpen, { open, close }] = useDisclosure();
  const [scope, setScope] = useState("all");
  const { mutate, isPending, error } = useApiMutation<
    { jobId: string; tasksCount: number },
    { userIds: string[]; organizationIds?: string[] }
  >("/v2/users/data/delete");
  function confirm(): void {
    const isOne = scope === "one" && organizationId !== undefined;
    mutate(
      { userIds: [userId], ...(isOne && { organizationIds: [organizationId] }) },
      {
        onSuccess: ({ data: { jobId, tasksCount } }) => {
          close();
          change({ job: jobId, tasks: String(tasksCount) });
        },
      },
    );
  }
  return (
    <>
      <Button variant="outline" color="red" className="danger" onClick={open}>
        Delete…
      </Button>
      <ConfirmDialog
        title={`Delete what is stored about ${userId}?`}
        action="Delete for good"
        typed={userId}
        isOpen={isOpen}
        isRunning={isPending}
        error={error}
        onConfirm={confirm}
        onClose={close}
      >
        <Stack gap="sm">
          <Text size="sm">
            Deletes everything they wrote and all that is kept of them, and takes their id and address out of what
            others wrote. It cannot be undone; export first what you must keep. What they write afterwards stays.
          </Text>
          <Radio.Group label="Where" value={scope} onChange={setScope}>
            <Stack gap="xs" mt={4}>
              <Radio value="all" label="In all organizations of this workspace" />
              <Radio
                value="one"
                label={<UntrustedText>{`Only in ${organizationId}`}</UntrustedText>}
                disabled={organizationId === undefined}
              />
            </Stack>
          </Radio.Group>
        </Stack>
      </ConfirmDialog>
    </>
  );
}
