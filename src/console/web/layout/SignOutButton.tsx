import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { post } from "../api/call.ts";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { PendingButton } from "../components/PendingButton.tsx";
import { CONSOLE_PATH } from "../url.ts";

/** Ends the current session. */
export function SignOutButton() {
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
      <PendingButton variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
        Sign out
      </PendingButton>
    </>
  );
}
