import type { Mention, UserProfile } from "@colloquy/client/stores";
import { type KeyboardEvent, useRef, useState } from "react";
import { useMentionCandidates } from "./use-mention-candidates.ts";
import type { EditorField } from "./use-rich-editor.ts";

interface MentionOptions {
  field: EditorField;
  documentId: string | undefined;
  participants: UserProfile[] | undefined;
  initial: Mention[] | undefined;
}

/** The mentions of a comment that is being written. */
export interface Mentions {
  /** Whether users are offered. */
  isOpen: boolean;
  candidates: UserProfile[];
  isLoading: boolean;
  place: number;
  /** Candidate that Enter chooses. */
  active: UserProfile | undefined;
  choose: (candidate: UserProfile) => void;
  close: () => void;
  /** Handles keys that belong to the list. Returns whether the key was one. */
  handleKey: (event: KeyboardEvent) => boolean;
  /** Returns the mentions that were chosen. */
  get: () => Mention[];
  /** Returns the mentions whose texts are still in a text. */
  getIn: (text: string) => Mention[];
  restore: (mentions: Mention[]) => void;
}

/** Offers users while a mention is being written, and keeps those that were chosen. */
export function useMentions({ field, documentId, participants, initial = [] }: MentionOptions): Mentions {
  const chosen = useRef(initial);
  const [closedText, setClosedText] = useState<string>();
  const [moved, setMoved] = useState<{ text: string; place: number }>();
  const typed = field.query?.text;
  const { data: candidates, isLoading } = useMentionCandidates(typed, { documentId, participants });
  // A text with spaces that matches nobody is not a mention.
  const mayMatch = candidates.length > 0 || !typed?.includes(" ");
  const isOpen = typed !== undefined && mayMatch && !(closedText !== undefined && typed.startsWith(closedText));
  const place = moved?.text === typed ? (moved?.place ?? 0) : 0;
  const active = isOpen ? candidates[place] : undefined;

  function choose({ userId, name = userId, memberIds = [userId], isGroup }: UserProfile): void {
    const text = `@${name}`;
    field.editor.current?.completeMention(typed ?? "", text);
    const users = memberIds.map((each) => ({ userId: each, text }));
    chosen.current = [...chosen.current, ...(isGroup ? [{ groupId: userId, text }] : users)];
    // The text of the mention is not a search any more.
    setClosedText(name);
  }

  function close(): void {
    setClosedText(typed);
  }

  return {
    ...{ isOpen, candidates, isLoading, place, active, choose, close },
    handleKey(event) {
      if (typed === undefined && closedText !== undefined) setClosedText(undefined);
      if (!isOpen) return false;
      const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
      const step = steps[event.key];
      if (event.key === "Escape") close();
      else if (step && candidates.length > 0) {
        setMoved({ text: typed, place: (place + step + candidates.length) % candidates.length });
      } else if (active && (event.key === "Tab" || (event.key === "Enter" && !event.ctrlKey && !event.metaKey)))
        choose(active);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    get: () => chosen.current,
    getIn(text) {
      const found = chosen.current.filter((mention) => text.includes(mention.text));
      return [...new Map(found.map((mention) => [JSON.stringify(mention), mention])).values()];
    },
    restore(mentions) {
      chosen.current = mentions;
    },
  };
}
