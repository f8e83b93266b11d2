import { getDefaultZIndex, Modal, Text, TextInput, useMantineColorScheme } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useLocation } from "wouter";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { Icon } from "../components/Icon.tsx";
import { textIssue } from "../components/text-issue.ts";
import { UntrustedText } from "../components/UntrustedText.tsx";
import { SCHEME_HREFS } from "./palette-actions.ts";
import { type PaletteGroup, type PaletteOption, usePaletteOptions } from "./use-palette-options.ts";

const SCHEMES = ["dark", "light", "auto"] as const;

interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
}

/**
 * A dialog that finds pages, actions, organizations, documents and users, and goes to the chosen one. It opens above
 * the drawer and dialogs of the page.
 */
export function CommandPalette({ isOpen, onClose }: CommandPaletteProps) {
  const [, navigate] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  // The heading of the chosen page takes the focus, so the dialog must not return it.
  const [hasChosen, setHasChosen] = useState(false);
  function choose({ href }: PaletteOption): void {
    setHasChosen(true);
    const scheme = SCHEMES.find((name) => SCHEME_HREFS[name] === href);
    if (scheme) setColorScheme(scheme);
    else navigate(href.replace(/#.*/, ""));
    onClose();
  }
  function onKeyDown({ key, nativeEvent }: KeyboardEvent): void {
    if (key === "Escape" && !nativeEvent.isComposing) onClose();
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      // The listener of Modal would run before that of a covered drawer, which would then be the topmost dialog.
      closeOnEscape={false}
      onKeyDown={onKeyDown}
      onEnterTransitionEnd={() => setHasChosen(false)}
      title="Search"
      returnFocus={!hasChosen}
      closeButtonProps={{ "aria-label": "Close" }}
      transitionProps={{ duration: 0 }}
      yOffset="10vh"
      zIndex={getDefaultZIndex("overlay")}
    >
      <Search onChoose={choose} />
    </Modal>
  );
}

function Search({ onChoose }: { onChoose: (option: PaletteOption) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [activeHref, setActiveHref] = useState<string>();
  const { groups, isSearching, error } = usePaletteOptions(text);
  const options = groups.flatMap((group) => group.options);
  const active = options.find(({ href }) => href === activeHref) ?? options[0];
  const optionId = ({ href }: PaletteOption) => `${id}-${href}`;
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || !active) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActiveHref(options.at((options.indexOf(active) + step) % options.length)?.href);
    } else if (event.key === "Enter") {
      event.preventDefault();
      onChoose(active);
    }
  }
  return (
    <>
      <TextInput
        aria-label="Search pages, actions, organizations, documents and users"
        placeholder="Page, action, organization, user or document"
        leftSection={<Icon name="search" />}
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        autoComplete="off"
        data-autofocus
        value={text}
        error={textIssue(text.trim())}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          setActiveHref(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      {error !== null && <ErrorMessage error={error} />}
      <div role="listbox" id={id} aria-label="Results" className="palette">
        {groups.map((group) => (
          <Group key={group.title} group={group} active={active} optionId={optionId} onChoose={onChoose} />
        ))}
      </div>
      <Text size="sm" c="dimmed" role="status">
        {isSearching && "Searching…"}
        {!isSearching &&
          error === null &&
          options.length === 0 &&
          "No results. Type a part of a name, ID or email address."}
      </Text>
    </>
  );
}

interface GroupProps {
  group: PaletteGroup;
  active: PaletteOption | undefined;
  optionId: (option: PaletteOption) => string;
  onChoose: (option: PaletteOption) => void;
}

/** Options below their title. The focus stays in the text field, which names the active option. */
function Group({ group: { title, options }, active, optionId, onChoose }: GroupProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset is for forms.
    <div role="group" aria-labelledby={id}>
      <Text id={id} size="xs" c="dimmed" fw={600} role="presentation" className="navigation-title">
        <UntrustedText>{title}</UntrustedText>
      </Text>
      {options.map((option) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: The text field handles the keys.
        <div
          key={option.href}
          id={optionId(option)}
          role="option"
          aria-selected={option === active}
          tabIndex={-1}
          className="palette-option"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <Icon name={option.icon} />
          <span>
            <UntrustedText>{option.label}</UntrustedText>
            {option.detail && (
              <Text component="span" size="xs" c="dimmed">
                {" "}
                <UntrustedText>{option.detail}</UntrustedText>
              </Text>
            )}
          </span>
        </div>
      ))}
    </div>
  );
}
