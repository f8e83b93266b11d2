import type { Editor } from "../../api/records.ts";
import { Time } from "../../components/Time.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";

/** When the content of an editor changed, and by whom where that is known. */
export function LastChange({ editor: { lastUpdate, lastUpdatedBy } }: { editor: Editor }) {
  return (
    <>
      <span>
        changed <Time at={Date.parse(lastUpdate)} />
      </span>
      {lastUpdatedBy && (
        <span>
          by <Verbatim>{lastUpdatedBy}</Verbatim>
        </span>
      )}
    </>
  );
}
