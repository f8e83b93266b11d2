import { Code, Stack, Text, Title } from "@mantine/core";
import { type Block, parseMarkdown, type Span } from "./markdown.ts";

/** Renders the subset of Markdown that the service's descriptions use. */
export function Markdown({ text }: { text: string }) {
  const blocks = parseMarkdown(text).map((block, place) => ({ block, place }));
  return (
    <Stack gap="xs">
      {blocks.map(({ block, place }) => (
        <BlockContent key={place} block={block} />
      ))}
    </Stack>
  );
}

function BlockContent({ block: { kind, lines } }: { block: Block }) {
  const numbered = lines.map((spans, place) => ({ spans, place }));
  if (kind === "list") {
    return (
      <ul className="text-list">
        {numbered.map(({ spans, place }) => (
          <li key={place}>
            <Line spans={spans} />
          </li>
        ))}
      </ul>
    );
  }
  return numbered.map(({ spans, place }) =>
    kind === "heading" ? (
      <Title key={place} order={2} size="h5" mt="xs">
        <Line spans={spans} />
      </Title>
    ) : (
      <Text key={place} size="sm">
        <Line spans={spans} />
      </Text>
    ),
  );
}

function Line({ spans }: { spans: Span[] }) {
  return spans
    .map((span, place) => ({ span, place }))
    .map(({ span: { kind, text }, place }) => {
      if (kind === "code") return <Code key={place}>{text}</Code>;
      return kind === "bold" ? <strong key={place}>{text}</strong> : text;
    });
}
