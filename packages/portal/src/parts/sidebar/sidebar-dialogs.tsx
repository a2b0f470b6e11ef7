import { Alert, Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { Dialog } from '../dialog.tsx';
import { isFolder, type SidebarItem } from './sidebar-moves.ts';
import { useSidebarWrites } from './sidebar-writes.ts';

/** What the dialog of the side bar asks. */
export type SidebarQuestion =
  | { readonly kind: 'page' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'rename'; readonly item: SidebarItem };

/** Names something new of the side bar, or something that is there. */
export function SidebarDialog({
  question,
  items,
  isOpen,
  onClose,
}: {
  question: SidebarQuestion | undefined;
  items: readonly SidebarItem[];
  isOpen: boolean;
  onClose: () => void;
}) {
  const title =
    question?.kind === 'rename'
      ? `Rename ${question.item.title ?? question.item.identifier}`
      : question?.kind === 'folder'
        ? 'New folder'
        : 'New page';
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title}>
      {question?.kind === 'rename' && <Rename item={question.item} onClose={onClose} />}
      {question?.kind === 'folder' && <NewFolder items={items} onClose={onClose} />}
      {question?.kind === 'page' && <NewPage items={items} onClose={onClose} />}
    </Dialog>
  );
}

interface FormProps {
  readonly verb: string;
  readonly isReady: boolean;
  readonly onSave: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A refusal is shown above what was typed, which stays. */
function Form({ verb, isReady, onSave, onClose, children }: FormProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onSave();
      onClose();
    } catch (caught) {
      setError(caught as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) void save();
      }}
    >
      <Stack>
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady} loading={isBusy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Title({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      label="Title"
      maxLength={200}
      data-autofocus
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function Rename({ item, onClose }: { item: SidebarItem; onClose: () => void }) {
  const [title, setTitle] = useState(item.title ?? '');
  const { rename } = useSidebarWrites();
  return (
    <Form verb="Rename" isReady={title.trim() !== ''} onSave={() => rename(item, title.trim())} onClose={onClose}>
      <Title value={title} onChange={setTitle} />
    </Form>
  );
}

function NewFolder({ items, onClose }: { items: readonly SidebarItem[]; onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [parent, setParent] = useState<string | null>(null);
  const { addFolder } = useSidebarWrites();
  const save = () =>
    addFolder({
      identifier: freeName(
        title,
        items.filter(isFolder).map(({ identifier }) => identifier),
      ),
      title: title.trim(),
      ...(parent ? { parent } : {}),
    });
  return (
    <Form verb="Create folder" isReady={title.trim() !== ''} onSave={save} onClose={onClose}>
      <Title value={title} onChange={setTitle} />
      <FolderInput items={items} value={parent} onChange={setParent} />
    </Form>
  );
}

function NewPage({ items, onClose }: { items: readonly SidebarItem[]; onClose: () => void }) {
  const mayShare = isAdmin(useSession());
  const [title, setTitle] = useState('');
  const [type, setType] = useState('dashboard');
  const [blueprint, setBlueprint] = useState<string | null>(null);
  const [parent, setParent] = useState<string | null>(null);
  const [isPrivate, setPrivate] = useState(!mayShare);
  const blueprints = useRead('listBlueprints');
  const navigate = useNavigate();
  const { addPage } = useSidebarWrites();
  const isTable = type === 'blueprint-entities';
  const save = async () => {
    const identifier = await addPage({
      identifier: freeName(
        title,
        items.map((each) => each.identifier),
      ),
      title: title.trim(),
      type: type as 'dashboard',
      ...(isPrivate ? { visibility: 'private' } : parent ? { parent } : {}),
      ...(isTable
        ? {
            blueprint,
            widgets: [{ id: 'entities', type: 'table-entities-explorer', dataset: { combinator: 'and', rules: [] } }],
          }
        : {}),
    });
    void navigate({ to: `/catalog/${encodeURIComponent(identifier)}${isTable ? '' : '/edit'}` });
  };
  return (
    <Form
      verb="Create page"
      isReady={title.trim() !== '' && (!isTable || blueprint !== null)}
      onSave={save}
      onClose={onClose}
    >
      <Title value={title} onChange={setTitle} />
      <Select
        label="Kind"
        allowDeselect={false}
        data={[
          { value: 'dashboard', label: 'Dashboard: widgets on a board' },
          { value: 'blueprint-entities', label: 'Table: entities of one blueprint' },
        ]}
        value={type}
        onChange={(next) => next && setType(next)}
      />
      {isTable && (
        <Select
          label="Blueprint"
          searchable
          data={(blueprints.data?.blueprints ?? []).map(({ identifier, title: said }) => ({
            value: identifier,
            label: said,
          }))}
          value={blueprint}
          onChange={setBlueprint}
        />
      )}
      <Switch
        label="For me alone"
        description={mayShare ? undefined : 'Administrators make pages for everybody'}
        checked={isPrivate}
        disabled={!mayShare}
        onChange={({ currentTarget }) => setPrivate(currentTarget.checked)}
      />
      {!isPrivate && <FolderInput items={items} value={parent} onChange={setParent} />}
    </Form>
  );
}

function FolderInput({
  items,
  value,
  onChange,
}: {
  items: readonly SidebarItem[];
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const folders = items.filter(isFolder);
  if (folders.length === 0) return null;
  return (
    <Select
      label="Folder"
      clearable
      clearButtonProps={{ 'aria-label': 'Out of the folder' }}
      data={folders.map(({ identifier, title }) => ({ value: identifier, label: title ?? identifier }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** A name made of a title; with a number where the name is in use. */
function freeName(title: string, used: readonly string[]): string {
  const plain =
    title
      .trim()
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[^\p{L}0-9]+/gu, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 150) || 'page';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? plain : `${plain}_${count}`;
    if (!used.includes(name)) return name;
  }
}
