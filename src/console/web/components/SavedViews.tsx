import { Button, Menu, TextInput } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useWorkspace } from "../api/workspace.ts";
import { useUrlParameters } from "../url.ts";
import { DialogForm, FormDialog } from "./FormDialog.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

const MAX_NAME_LENGTH = 60;

interface View {
  name: string;
  /** Path of the page. */
  path: string;
  /** The filters, as the query of its URL. */
  query: string;
}

/** The menu of the filters of a page that were saved under a name, which the browser keeps for each workspace. */
export function SavedViews() {
  const { id } = useWorkspace();
  const [path] = useLocation();
  const { filters: query } = useUrlParameters();
  const [views, setViews] = useLocalStorage<View[]>({ key: `colloquy-views-${id}`, defaultValue: [] });
  const [isOpen, { open, close }] = useDisclosure();
  const ofPage = views.filter((view) => view.path === path);
  const current = ofPage.find((view) => view.query === query);
  if (ofPage.length === 0 && query === "") return null;
  function save(name: string): void {
    const others = views.filter((view) => view.path !== path || view.name !== name);
    setViews([...others, { name, path, query }].sort((one, other) => one.name.localeCompare(other.name)));
    close();
  }
  return (
    <>
      <Menu position="bottom-start" keepMounted={false} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default" size="xs" className="views">
            {current ? <UntrustedText>{current.name}</UntrustedText> : "Views"}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ofPage.map((view) => (
            <Menu.Item key={view.name} component={Link} href={`${path}?${view.query}`}>
              <UntrustedText>{view.name}</UntrustedText>
            </Menu.Item>
          ))}
          {ofPage.length > 0 && query !== "" && <Menu.Divider />}
          {current && (
            <Menu.Item onClick={() => setViews(views.filter((view) => view !== current))}>Delete this view</Menu.Item>
          )}
          {!current && query !== "" && <Menu.Item onClick={open}>Save this view…</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <FormDialog title="Save view" isOpen={isOpen} onClose={close}>
        <NameForm onSave={save} onClose={close} />
      </FormDialog>
    </>
  );
}

function NameForm({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState("");
  const trimmed = name.trim();
  return (
    <DialogForm
      action="Save"
      isReady={trimmed !== ""}
      isRunning={false}
      error={null}
      onSubmit={() => onSave(trimmed)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Kept in this browser. A view of the same name on this page is replaced."
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
    </DialogForm>
  );
}
