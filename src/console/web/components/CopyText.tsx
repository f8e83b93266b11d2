import { type ReactNode, useEffect, useState } from "react";

/** Time for which the outcome is shown. */
const SHOWN_MS = 2_000;

interface CopyTextProps {
  text: string;
  /** Label of the button before it is used. */
  label: string;
  /** Renders a button with the label, which then says whether the text was copied. */
  children: (button: { label: string; copy: () => void }) => ReactNode;
}

/** Copies a text to the clipboard. */
export function CopyText({ text, label, children }: CopyTextProps) {
  const [outcome, setOutcome] = useState<string>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  async function copy(): Promise<void> {
    setOutcome((await writeToClipboard(text)) ? "Copied" : "Cannot copy");
  }
  return children({ label: outcome ?? label, copy: () => void copy() });
}

/** Writes to the clipboard. Browsers offer their interface for it only to pages that are served over TLS. */
async function writeToClipboard(text: string): Promise<boolean> {
  if (isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  function put(event: ClipboardEvent): void {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  }
  document.addEventListener("copy", put, { once: true });
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", put);
  return isCopied;
}
