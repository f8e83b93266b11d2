import { Button, Radio, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useParameters } from "../../address.ts";
import { useChange } from "../../api/use-answer.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";

interface DeletePersonProps {
  userId: string;
  organizationId: string | undefined;
}

/** Asks what is to be deleted and starts it; the address then names the job, so that it can be followed and shared. */
export function DeletePerson({ userId, organizationId }: DeletePersonProps) {
  const { change } = useParameters();
  const [isOpen, { open, close }] = useDisclosure();
  const [scope, setScope] = useState("all");
  const { mutate, isPending, error } = useChange<
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
      <Confirm
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
                label={<Verbatim>{`Only in ${organizationId}`}</Verbatim>}
                disabled={organizationId === undefined}
              />
            </Stack>
          </Radio.Group>
        </Stack>
      </Confirm>
    </>
  );
}
