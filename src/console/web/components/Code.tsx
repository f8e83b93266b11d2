import { Button, CopyButton, ScrollArea, Stack } from "@mantine/core";

interface CodeProps {
  /** What it is, for who cannot see it. */
  label: string;
  text: string;
}

/** A text to be read as it is or copied. */
export function Code({ label, text }: CodeProps) {
  return (
    <Stack gap={4} align="flex-start">
      <ScrollArea.Autosize mah="60vh" w="100%" className="code" viewportProps={{ tabIndex: 0, "aria-label": label }}>
        <pre>{text}</pre>
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
export function Json({ label, value }: { label: string; value: unknown }) {
  return <Code label={label} text={JSON.stringify(value, null, 2) ?? "undefined"} />;
}
