import type { UserProfile } from "@colloquy/client/stores";
import { type ReactElement, useEffect, useRef } from "react";
import { Icon } from "./icons.tsx";
import { Popover } from "./popover.tsx";
import { useTexts } from "./texts.tsx";
import { UserPhoto } from "./user-photo.tsx";

interface MentionPickerProps {
  id: string;
  candidates: UserProfile[];
  /** Place of the candidate that Enter chooses. */
  active: number;
  isLoading: boolean;
  getAnchor: () => DOMRect | undefined;
  owner: HTMLElement | null;
  choose: (candidate: UserProfile) => void;
  close: () => void;
}

/** Returns the ID of the element of a candidate, to which the text field refers. */
export function getOptionId(id: string, place: number): string {
  return `${id}${place}`;
}

/** Shows users to mention below the cursor. The text field keeps the focus and moves in the list. */
export function MentionPicker(props: MentionPickerProps): ReactElement {
  const { id, candidates, active, isLoading, getAnchor, owner, choose, close } = props;
  const texts = useTexts();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <Popover getAnchor={getAnchor} owner={owner} close={close}>
      <div ref={list} id={id} role="listbox" className="colloquy-menu" aria-label={texts.mention}>
        {candidates.map((candidate, place) => {
          const { userId, name = userId, photoUrl, memberIds, isGroup = false } = candidate;
          const memberCount = memberIds && texts.memberCount(memberIds.length);
          const description = candidate.description ?? memberCount ?? (isGroup ? texts.group : undefined);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: The text field has the focus and handles the keys.
            <div
              key={`${isGroup} ${userId}`}
              id={getOptionId(id, place)}
              role="option"
              tabIndex={-1}
              className="colloquy-menu-item"
              aria-selected={place === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(candidate)}
            >
              {memberIds || isGroup ? (
                <span className="colloquy-photo" data-color={0}>
                  <Icon name="mention" />
                </span>
              ) : (
                <UserPhoto {...{ userId, name, photoUrl }} />
              )}
              <bdi>{name}</bdi> {description !== undefined && <span className="colloquy-note">{description}</span>}
            </div>
          );
        })}
      </div>
      {candidates.length === 0 && <p className="colloquy-empty">{isLoading ? texts.loading : texts.nobodyFound}</p>}
    </Popover>
  );
}
