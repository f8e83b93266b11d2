import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { CONSOLE_PATH } from "../address.ts";
import { post } from "../api/call.ts";
import { ErrorMessage } from "../components/ErrorMessage.tsx";

/** Ends this session only; Settings ends the others. */
export function SignOut() {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => post("/console/session/end", {}),
    onSuccess: () => {
      navigate(`~${CONSOLE_PATH}/sign-in`);
      queryClient.clear();
    },
  });
  return (
    <>
      {error && <ErrorMessage error={error} />}
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
        Sign out
      </Button>
    </>
  );
}
