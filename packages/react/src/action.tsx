import { asError } from "@colloquy/client/stores";
import { type ReactElement, type ReactNode, useCallback, useRef, useState } from "react";

/** What a user has asked for, and whether it still runs. */
export interface Action {
  isPending: boolean;
  /** Error of the last run, undefined if it succeeded. */
  error: Error | undefined;
  /** Runs a task, unless one runs already. */
  run(task: () => Promise<void>): Promise<void>;
}

/** Runs one task at a time, so that a double click carries it out once. */
export function useAction(): Action {
  const [state, setState] = useState<Pick<Action, "isPending" | "error">>({ isPending: false, error: undefined });
  // The second click of a double click may come before React has rendered the first one.
  const isRunning = useRef(false);
  async function run(task: () => Promise<void>): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isPending: true, error: undefined });
    const error = await task().then(() => undefined, asError);
    isRunning.current = false;
    setState({ isPending: false, error });
  }
  return { ...state, run };
}

/** What can take the focus: an element, or a component. */
export interface Focusable {
  focus(): void;
}

interface ActionButtonProps {
  action: Action;
  task: () => Promise<void>;
  /** Name for screen readers, if the text does not suffice. */
  label?: string | undefined;
  /** Whether the pointer shows the name. */
  hasTooltip?: boolean | undefined;
  /** Whether what the button turns on is on; absent from other buttons. */
  isPressed?: boolean | undefined;
  /** Returns the element that gets the focus if the button is removed while it has the focus. */
  next: (button: HTMLButtonElement) => Focusable | null | undefined;
  className?: string | undefined;
  variant?: ButtonVariant | undefined;
  children: ReactNode;
}

/** How prominent a button is, as `data-variant` in the stylesheet. */
type ButtonVariant = "primary" | "danger" | "quiet" | "link";

/** Shows a button that runs a task. A disabled button would lose the focus, so it is only marked as disabled. */
export function ActionButton(props: ActionButtonProps): ReactElement {
  const { action, task, label, hasTooltip, isPressed, next, className = "colloquy-button", variant, children } = props;
  return (
    <button
      ref={useFocusAfter(next)}
      type="button"
      className={className}
      data-variant={variant}
      aria-label={label}
      title={hasTooltip ? label : undefined}
      aria-pressed={isPressed}
      aria-disabled={action.isPending}
      onClick={() => void action.run(task)}
    >
      {children}
    </button>
  );
}

/**
 * Returns a ref that moves the focus when an element that contains it is removed. Otherwise it would fall to the body
 * of the page.
 */
export function useFocusAfter<Removed extends HTMLElement>(
  next: (removed: Removed) => Focusable | null | undefined,
): (element: Removed | null) => void {
  const current = useRef(next);
  current.current = next;
  const shown = useRef<Removed>(null);
  return useCallback((element) => {
    const removed = shown.current;
    shown.current = element;
    if (element || !removed?.contains(document.activeElement)) return;
    // React calls this before it removes the element, first for the outermost one. A dialog in it is modal until then.
    const following = current.current(removed);
    queueMicrotask(() => document.activeElement === document.body && following?.focus());
  }, []);
}
