import { Button, type ButtonProps } from "@mantine/core";
import { type ComponentPropsWithoutRef, useLayoutEffect, useRef } from "react";

interface PendingButtonProps extends ButtonProps, Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps> {
  loading: boolean;
}

/**
 * A button that is disabled while its action runs. The browser takes the focus meanwhile, so the button gets it back,
 * or the first field of its form if the action has emptied the form.
 */
export function PendingButton({ loading, ...props }: PendingButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (loading) hadFocus.current = document.activeElement === button.current;
    else if (hadFocus.current && document.activeElement === document.body) {
      const { current } = button;
      const target = current?.disabled ? current.form?.querySelector<HTMLElement>("input, textarea, select") : current;
      target?.focus();
    }
  }, [loading]);
  return <Button {...props} ref={button} loading={loading} />;
}
