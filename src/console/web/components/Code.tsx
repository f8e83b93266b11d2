import { Button, ScrollArea, Stack } from "@mantine/core";
import { escapeBidiControls, revealBidiControls } from "./bidi.ts";
import { CopyText } from "./CopyText.tsx";

interface CodeProps {
  /** Accessible name. */
  label: string;
  text: string;
  /** Shows the full height, for containers that scroll. */
  isFullHeight?: boolean;
  copyLabel?: string;
}

/** Preformatted text with a copy button. */
export function Code({ label, text, isFullHeight = false, copyLabel = "Copy" }: CodeProps) {
  return (
    <Stack gap={4} align="flex-start">
      <ScrollArea.Autosize
        mah={isFullHeight ? "none" : "60vh"}
        w="100%"
        className="code"
        viewportProps={{ tabIndex: 0, "aria-label": revealBidiControls(label) }}
      >
        <pre>{revealBidiControls(text)}</pre>
      </ScrollArea.Autosize>
      <CopyText text={text} label={copyLabel}>
        {({ label, copy }) => (
          <Button size="compact-xs" variant="default" onClick={copy} aria-live="polite">
            {label}
          </Button>
        )}
      </CopyText>
    </Stack>
  );
}

/** A value as indented JSON with a copy button. */
export function Json({ value, ...rest }: Omit<CodeProps, "text"> & { value: unknown }) {
  return <Code {...rest} text={escapeBidiControls(JSON.stringify(value, null, 2) ?? "undefined")} />;
}
