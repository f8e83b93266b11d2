import { Button, CopyButton, ScrollArea, Stack } from "@mantine/core";
import { escapeBidiControls, revealBidiControls } from "./bidi.ts";

interface CodeProps {
  /** What it is, for who cannot see it. */
  label: string;
  text: string;
  /** Shown to its end, for what scrolls already. */
  isWhole?: boolean;
}

/** A text to be read as it is or copied. */
export function Code({ label, text, isWhole = false }: CodeProps) {
  return (
    <Stack gap={4} align="flex-start">
      <ScrollArea.Autosize
        mah={isWhole ? "none" : "60vh"}
        w="100%"
        className="code"
        viewportProps={{ tabIndex: 0, "aria-label": revealBidiControls(label) }}
      >
        <pre>{revealBidiControls(text)}</pre>
      </ScrollArea.Autosize>
      <CopyButton value={text} timeout={2_000}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" onClick={copy} aria-live="polite">
            {copied ? "Copied" : "Copy"}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}

/** Any record as indented JSON. */
export function Json({ value, ...rest }: Omit<CodeProps, "text"> & { value: unknown }) {
  return <Code {...rest} text={escapeBidiControls(JSON.stringify(value, null, 2) ?? "undefined")} />;
}
