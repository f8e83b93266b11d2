import { Component, type ReactNode } from "react";
import { ErrorMessage } from "../components/ErrorMessage.tsx";

/** Keeps a fault of one page, or of reading its script, from taking the rest of the console with it. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <ErrorMessage error={error} onRetry={() => location.reload()} />;
  }
}
