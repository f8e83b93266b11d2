import { Badge, Text } from "@mantine/core";
import type { CommentAnnotation } from "../../../api/records.ts";
import { UntrustedText } from "../../../components/UntrustedText.tsx";

const STATES = { attached: undefined, moved: "Passage moved", detached: "Passage deleted" };

/** The passage that an annotation is about: as it is now, or as it was quoted if it is gone. */
export function AnchorQuote({ annotation: { anchor, anchorState, anchorText } }: { annotation: CommentAnnotation }) {
  const passage = anchorText || (anchor && "quote" in anchor ? anchor.quote.exact : "");
  if (passage === "") return null;
  const state = STATES[anchorState ?? "attached"];
  return (
    <>
      <Text
        component="blockquote"
        size="sm"
        lineClamp={3}
        className="passage"
        c={anchorState === "detached" ? "dimmed" : ""}
      >
        <UntrustedText>{passage}</UntrustedText>
      </Text>
      {state !== undefined && (
        <Badge variant="default" tt="none" miw="max-content">
          {state}
        </Badge>
      )}
    </>
  );
}
