import type { Editor } from "../../api/records.ts";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

/** When the content of an editor changed, and by whom where that is known. */
export function LastChange({ editor: { lastUpdate, lastUpdatedBy } }: { editor: Editor }) {
  return (
    <>
      <span>
        changed <Time at={Date.parse(lastUpdate)} />
      </span>
      {lastUpdatedBy && (
        <span>
          by <UntrustedText>{lastUpdatedBy}</UntrustedText>
        </span>
      )}
    </>
  );
}
