import type { Preferences as Config, PreferenceChanges } from "@colloquy/client/stores";
import { type ReactElement, useId, useRef } from "react";
import { useAction } from "./action.tsx";
import { Heading, type HeadingProps } from "./heading.tsx";
import { usePreferences } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import type { Texts } from "./language-texts.ts";
import { ErrorMessage, Notice } from "./notice.tsx";
import { getRootProps } from "./root-props.ts";
import { useTexts } from "./texts.tsx";
import { useDocumentPreferences } from "./use-document-preferences.ts";

/** Props of `Preferences`. */
export interface PreferencesProps extends HeadingProps {
  /** Document to offer a choice for, beside those for which the user has made one. */
  documentId?: string | undefined;
  /** Returns the name of a document; its ID by default. */
  getDocumentName?: ((documentId: string) => string | undefined) | undefined;
  className?: string | undefined;
}

const CHANNELS = ["inbox", "email"] as const;
const CHOICES = ["ALL", "MINE", "NONE"] as const;
type Channel = (typeof CHANNELS)[number];
type Choice = (typeof CHOICES)[number];

/** Lets the user choose which notifications reach the inbox and the mailbox, in all documents and in single ones. */
export function Preferences(props: PreferencesProps): ReactElement {
  const { documentId, getDocumentName, label, headingLevel, className } = props;
  const texts = useTexts();
  const base = useId();
  const action = useAction();
  const table = useRef<HTMLTableElement>(null);
  const { data: all, isLoading, error, retry, set } = usePreferences();
  const own = useDocumentPreferences();
  const documents = new Map<string, Partial<Config>>(own.data.map((each) => [each.documentId, each.config]));
  if (documentId !== undefined && !documents.has(documentId)) documents.set(documentId, {});
  const toName = (id: string) => getDocumentName?.(id) ?? (id === documentId ? texts.thisDocument : id);
  const isBusy = isLoading || own.isLoading;
  const rowProps = { base, isBusy: action.isPending };
  return (
    <section
      {...getRootProps(texts, "colloquy-preferences", className)}
      aria-labelledby={`${base}heading`}
      aria-busy={isBusy}
    >
      <header className="colloquy-header">
        <Heading headingLevel={headingLevel} id={`${base}heading`}>
          {label ?? texts.preferences}
        </Heading>
      </header>
      <Notice
        {...{ error: error ?? own.error, list: table }}
        isLoading={isBusy}
        empty={all ? undefined : ""}
        retry={() => {
          retry();
          own.retry();
        }}
      />
      {all && (
        <table ref={table} tabIndex={-1} aria-labelledby={`${base}heading`}>
          <thead>
            <tr>
              <th scope="col">{texts.document}</th>
              <th scope="col" id={`${base}inbox`}>
                {texts.inbox}
              </th>
              <th scope="col" id={`${base}email`}>
                {texts.email}
              </th>
            </tr>
          </thead>
          <tbody>
            <Row
              {...rowProps}
              name={texts.allDocuments}
              config={all}
              choose={(changes) => action.run(() => set(changes))}
            />
            {[...documents].map(([id, config]) => (
              <Row
                key={id}
                {...rowProps}
                name={toName(id)}
                config={config}
                inherited={all}
                choose={(changes) => action.run(() => own.set(id, changes))}
              />
            ))}
          </tbody>
        </table>
      )}
      <ErrorMessage error={action.error} />
      {all && <p className="colloquy-hint">{texts.preferencesHint}</p>}
    </section>
  );
}

interface RowProps {
  base: string;
  name: string;
  isBusy: boolean;
  config: Partial<Config>;
  /** Choices that apply where the row has none. */
  inherited?: Partial<Config> | undefined;
  choose: (changes: PreferenceChanges) => Promise<void>;
}

function Row({ base, name, isBusy, config, inherited, choose }: RowProps): ReactElement {
  const texts = useTexts();
  const id = useId();
  return (
    <tr>
      <th scope="row" id={id}>
        <bdi>{name}</bdi>
      </th>
      {CHANNELS.map((channel) => (
        <td key={channel}>
          <Select
            labelledBy={`${id} ${base}${channel}`}
            isBusy={isBusy}
            value={toChoice(config[channel])}
            inherited={inherited && toChoice(inherited[channel])}
            choose={(choice) => choose(toChanges(channel, choice))}
            texts={texts}
          />
        </td>
      ))}
    </tr>
  );
}

interface SelectProps {
  labelledBy: string;
  isBusy: boolean;
  value: Choice | undefined;
  inherited: Choice | undefined;
  choose: (choice: Choice | undefined) => Promise<void>;
  texts: Texts;
}

function Select({ labelledBy, isBusy, value, inherited, choose, texts }: SelectProps): ReactElement {
  const names: Record<Choice, string> = { ALL: texts.notifyAll, MINE: texts.notifyMine, NONE: texts.notifyNone };
  return (
    <span className="colloquy-select" data-inherited={value === undefined}>
      <select
        aria-labelledby={labelledBy}
        aria-disabled={isBusy}
        value={value ?? ""}
        onChange={({ target }) => void choose(CHOICES.find((each) => each === target.value))}
      >
        {inherited && <option value="">{texts.sameAsAll(names[inherited])}</option>}
        {CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {names[choice]}
          </option>
        ))}
      </select>
      <Icon name="chevron" />
    </span>
  );
}

/** Returns a preference that users can choose here. */
function toChoice(preference: string | undefined): Choice | undefined {
  return CHOICES.find((each) => each === preference);
}

function toChanges(channel: Channel, choice: Choice | undefined): PreferenceChanges {
  return channel === "inbox" ? { inbox: choice ?? null } : { email: choice ?? null };
}
