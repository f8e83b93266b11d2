import { asError } from "@colloquy/client/stores";
import { type CSSProperties, type ReactElement, useEffect, useState } from "react";
import { ErrorMessage } from "./notice.tsx";
import { useTexts } from "./texts.tsx";
import { useUsers } from "./use-users.ts";
import type { Version, VersionChange, VersionsState } from "./use-versions.ts";

interface PreviewProps {
  versionId: string;
  /** The list, which is read again when a restore changes what the version is compared with. */
  list: readonly Version[];
  compare: VersionsState["compare"];
}

interface Compared {
  changes: VersionChange[] | undefined;
  error: Error | undefined;
}

const PARTS = { added: "ins", removed: "del", unchanged: "span" } as const;

/** Number of colors that authors have, one after the other. */
const COLORS = 6;

/** Shows what changed since a version, with a color for each author. */
export function VersionPreview({ versionId, list, compare }: PreviewProps): ReactElement | null {
  const texts = useTexts();
  const [{ changes, error }, setCompared] = useState<Compared>({ changes: undefined, error: undefined });
  // biome-ignore lint/correctness/useExhaustiveDependencies: The list is another one after a restore.
  useEffect(() => {
    let isCurrent = true;
    const show = (compared: Compared) => {
      if (isCurrent) setCompared(compared);
    };
    compare(versionId).then(
      (compared) => show({ changes: compared, error: undefined }),
      (failure: unknown) => show({ changes: undefined, error: asError(failure) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [versionId, list, compare]);
  const changed = changes?.filter(({ kind }) => kind !== "unchanged") ?? [];
  const userIds = [...new Set(changed.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
  const users = useUsers(userIds);
  const getName = (userId: string) => users.get(userId)?.name ?? userId;
  const getColor = (userId: string | null): CSSProperties => {
    const index = userId === null ? -1 : userIds.indexOf(userId);
    return index < 0 ? {} : Object.fromEntries([["--cq-author", `var(--cq-author-${(index % COLORS) + 1})`]]);
  };
  if (error) return <ErrorMessage error={error} />;
  if (!changes) return null;
  if (changed.length === 0) return <p className="colloquy-version-note">{texts.nothingChanged}</p>;
  return (
    <>
      <ul className="colloquy-version-authors">
        {userIds.map((userId) => (
          <li key={userId} style={getColor(userId)}>
            <bdi>{getName(userId)}</bdi>
          </li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard scrolls it. */}
      {/* biome-ignore lint/a11y/useSemanticElements: This is a text, and not a part of a form. */}
      <div className="colloquy-version-text" role="group" aria-label={texts.changesSince} tabIndex={0} dir="auto">
        {changes.map(({ kind, text, userId, path }, index) => {
          const shown = path ? `${path.join(".")}: ${text}\n` : text;
          const title = userId === null ? undefined : getName(userId);
          const Part = PARTS[kind];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: The parts have no other identity.
            <Part key={index} title={kind === "unchanged" ? undefined : title} style={getColor(userId)}>
              {shown}
            </Part>
          );
        })}
      </div>
    </>
  );
}
