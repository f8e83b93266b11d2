import { includesRole } from "@colloquy/client/stores";
import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Day, useStartOfDay } from "./day.tsx";
import { Heading, type HeadingProps } from "./heading.tsx";
import { ErrorMessage, MoreButton, Notice, Time } from "./notice.tsx";
import { useRecordUser } from "./record-user.tsx";
import { getRootProps } from "./root-props.ts";
import { useTexts } from "./texts.tsx";
import { useVersions, type Version, type VersionsOptions, type VersionsState } from "./use-versions.ts";
import { UserPhoto } from "./user-photo.tsx";
import { VersionPreview } from "./version-preview.tsx";

/** Props of `Versions`. */
export interface VersionsProps extends VersionsOptions, HeadingProps {
  className?: string | undefined;
}

/** Shows the versions of a document by days, and what changed since each. Editors name and restore them. */
export function Versions(props: VersionsProps): ReactElement {
  const { label, headingLevel = 2, className, ...options } = props;
  const texts = useTexts();
  const startOfDay = useStartOfDay();
  const versions = useVersions(options);
  const { data, isLoading, error, retry, hasMore, loadMore, accessRole } = versions;
  const canEdit = accessRole !== undefined && includesRole(accessRole, "editor");
  const [selectedId, select] = useState<string>();
  const [undoId, setUndoId] = useState<string | null>(null);
  const headingId = useId();
  const list = useRef<HTMLDivElement>(null);
  const undo = useAction();
  const days = groupByDay(data, startOfDay);
  const empty = data.length === 0 && !isLoading ? texts.noVersions : undefined;
  return (
    <section {...getRootProps(texts, "colloquy-versions", className)} aria-labelledby={headingId} aria-busy={isLoading}>
      <header className="colloquy-header">
        <Heading headingLevel={headingLevel} id={headingId}>
          {label ?? texts.versions}
        </Heading>
      </header>
      <div role="status">
        {undoId !== null && (
          <p className="colloquy-versions-restored">
            {texts.versionRestored}{" "}
            <ActionButton
              action={undo}
              variant="link"
              task={async () => {
                await versions.restore(undoId);
                setUndoId(null);
              }}
              next={() => list.current}
            >
              {texts.undo}
            </ActionButton>
          </p>
        )}
      </div>
      <ErrorMessage error={undo.error} />
      <Notice {...{ isLoading, error, retry, list, empty }} />
      {/* biome-ignore lint/a11y/useSemanticElements: This is a list, and not a part of a form. */}
      <div ref={list} tabIndex={-1} role="group" aria-labelledby={headingId}>
        {[...days].map(([day, ofDay]) => (
          <Day key={day} start={day} listLevel={headingLevel}>
            {ofDay.map((version) => (
              <VersionItem
                key={version.id}
                {...{ version, versions, canEdit, restored: setUndoId }}
                isSelected={version.id === selectedId}
                select={() => select(version.id === selectedId ? undefined : version.id)}
              />
            ))}
          </Day>
        ))}
      </div>
      {hasMore && <MoreButton loadMore={loadMore} list={list} />}
    </section>
  );
}

/** Returns the versions by the beginning of their day, newest first. */
function groupByDay(versions: readonly Version[], startOfDay: (time: number) => number): Map<number, Version[]> {
  const days = new Map<number, Version[]>();
  for (const version of versions) {
    const day = startOfDay(version.createdAt);
    days.set(day, [...(days.get(day) ?? []), version]);
  }
  return days;
}

interface VersionItemProps {
  version: Version;
  versions: VersionsState;
  canEdit: boolean;
  isSelected: boolean;
  select(): void;
  /** Called after a restore with the ID of the version that has what it replaced. */
  restored(replacedVersionId: string | null): void;
}

function VersionItem({ version, versions, canEdit, isSelected, select, restored }: VersionItemProps): ReactElement {
  const texts = useTexts();
  const [isRestoring, setRestoring] = useState(false);
  const [isNaming, setNaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const name = version.name ?? texts.automaticVersion;
  const previewId = useId();
  return (
    <li className="colloquy-version" data-kind={version.kind}>
      <button
        ref={button}
        type="button"
        className="colloquy-version-title"
        aria-expanded={isSelected}
        aria-controls={previewId}
        onClick={select}
      >
        <bdi>{name}</bdi> <Time at={version.createdAt} format="clock" />
      </button>
      <ul className="colloquy-version-users">
        {version.userIds.map((userId) => (
          <VersionUser key={userId} userId={userId} />
        ))}
      </ul>
      <div id={previewId}>
        {isSelected && (
          <>
            <VersionPreview versionId={version.id} list={versions.data} compare={versions.compare} />
            {canEdit && !isNaming && (
              <p className="colloquy-version-actions">
                <button type="button" className="colloquy-button" onClick={() => setRestoring(true)}>
                  {texts.restoreVersion}
                </button>
                <button type="button" className="colloquy-button" onClick={() => setNaming(true)}>
                  {texts.nameVersion}
                </button>
              </p>
            )}
            {isNaming && (
              <NameForm
                name={version.name ?? ""}
                close={() => {
                  setNaming(false);
                  button.current?.focus();
                }}
                save={(changed) => versions.rename(version.id, changed)}
              />
            )}
          </>
        )}
      </div>
      {isRestoring && (
        <ConfirmDialog
          title={texts.confirmRestore(name)}
          description={texts.restoreNote}
          confirmLabel={texts.restoreVersion}
          variant="primary"
          confirm={async () => restored(await versions.restore(version.id))}
          close={() => setRestoring(false)}
          next={() => button.current}
        />
      )}
    </li>
  );
}

function VersionUser({ userId }: { userId: string }): ReactElement {
  const { name, photoUrl } = useRecordUser({ userId });
  return (
    <li title={name}>
      <UserPhoto {...{ userId, name, photoUrl }} />
      <span className="colloquy-hidden">{name}</span>
    </li>
  );
}

interface NameFormProps {
  name: string;
  save(name: string): Promise<void>;
  close(): void;
}

function NameForm({ name, save, close }: NameFormProps): ReactElement {
  const texts = useTexts();
  const [value, setValue] = useState(name);
  const action = useAction();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const changed = value.trim();
    if (changed === "") return;
    void action.run(async () => {
      await save(changed);
      close();
    });
  }
  return (
    <form className="colloquy-version-actions" onSubmit={submit}>
      <input
        ref={field}
        className="colloquy-input"
        aria-label={texts.versionName}
        value={value}
        maxLength={256}
        onChange={(event) => setValue(event.target.value)}
      />
      <button type="submit" className="colloquy-button" data-variant="primary" aria-disabled={action.isPending}>
        {texts.save}
      </button>
      <button type="button" className="colloquy-button" onClick={close}>
        {texts.cancel}
      </button>
      <ErrorMessage error={action.error} />
    </form>
  );
}
