import { asError, retryFailed } from "@colloquy/client/stores";
import { Component, type ReactElement, type ReactNode } from "react";
import { type Session, useSession } from "./provider.tsx";

/** Props of `ErrorBoundary`. */
export interface ErrorBoundaryProps {
  /** Returns what is shown instead of components that have failed. `retry` reads their data and shows them again. */
  fallback: (failure: { error: Error; retry: () => void }) => ReactNode;
  children?: ReactNode;
}

/** Catches the errors of components below it, such as those of hooks that suspend. */
export function ErrorBoundary(props: ErrorBoundaryProps): ReactElement {
  return <Boundary {...props} session={useSession()} />;
}

class Boundary extends Component<ErrorBoundaryProps & { session: Session }, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {};

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: asError(thrown) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { fallback, children, session } = this.props;
    if (!error) return children;
    const retry = () => {
      retryFailed(session);
      this.setState({ error: undefined });
    };
    return fallback({ error, retry });
  }
}
