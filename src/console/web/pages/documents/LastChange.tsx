import type { Editor } from "../../api/records.ts";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

/** The time of the last change of a collaborative document, and its user if known. */
export function LastChange({ editor: { lastUpdate, lastUpdatedBy } }: { editor: Editor }) {
  return (
    <>
      <span>
        updated <Time at={Date.parse(lastUpdate)} />
      </span>
      {lastUpdatedBy && (
        <span>
          by <UntrustedText>{lastUpdatedBy}</UntrustedText>
        </span>
      )}
    </>
  );
}
