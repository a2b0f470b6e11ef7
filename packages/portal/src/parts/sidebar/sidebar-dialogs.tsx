import { Select, type SelectProps, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormBody, useSentForm } from '../../kit/form.tsx';
import { t } from '../../kit/translate.ts';
import { isFolder, type SidebarItem } from './sidebar-moves.ts';
import { useSidebarWrites } from './sidebar-writes.ts';

/** The page type with a single table. */
const table = 'blueprint-entities';

/** The kind of dialog the side bar opens. */
export type SidebarQuestion =
  | { readonly kind: 'page' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'rename'; readonly item: SidebarItem };

export interface SidebarDialogProps {
  readonly question: SidebarQuestion | undefined;
  readonly items: readonly SidebarItem[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SidebarDialogs({ question, items, isOpen, onClose }: SidebarDialogProps) {
  const title =
    question?.kind === 'rename'
      ? t('Rename {title}', { title: question.item.title ?? question.item.identifier })
      : question?.kind === 'folder'
        ? t('New folder')
        : t('New page');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title}>
      {question?.kind === 'rename' && <Rename item={question.item} onClose={onClose} />}
      {question?.kind === 'folder' && <NewFolder items={items} onClose={onClose} />}
      {question?.kind === 'page' && <NewPage items={items} onClose={onClose} />}
    </Dialog>
  );
}

function Rename({ item, onClose }: { item: SidebarItem; onClose: () => void }) {
  const { rename } = useSidebarWrites();
  const form = useSentForm({
    initial: { title: item.title ?? '' },
    send: ({ title }) => rename(item, title.trim()),
    onSaved: onClose,
  });
  return (
    <FormBody form={form} verb={t('Rename')} isReady={form.values.title.trim() !== ''} onClose={onClose}>
      <TextInput label={t('Title')} maxLength={200} data-autofocus {...form.field('title')} />
    </FormBody>
  );
}

function NewFolder({ items, onClose }: { items: readonly SidebarItem[]; onClose: () => void }) {
  const { addFolder } = useSidebarWrites();
  const form = useSentForm({
    initial: { title: '', parent: null as string | null },
    send: ({ title, parent }) => {
      const used = items.filter(isFolder).map(({ identifier }) => identifier);
      return addFolder({
        identifier: freeName(title, used),
        title: title.trim(),
        ...(parent ? { parent } : {}),
      });
    },
    onSaved: onClose,
  });
  return (
    <FormBody form={form} verb={t('Create folder')} isReady={form.values.title.trim() !== ''} onClose={onClose}>
      <TextInput label={t('Title')} maxLength={200} data-autofocus {...form.field('title')} />
      <FolderInput items={items} {...form.field('parent')} />
    </FormBody>
  );
}

function NewPage({ items, onClose }: { items: readonly SidebarItem[]; onClose: () => void }) {
  const mayShare = isAdmin(useSession());
  const blueprints = useRead('listBlueprints');
  const navigate = useNavigate();
  const { addPage } = useSidebarWrites();
  const form = useSentForm({
    initial: {
      title: '',
      type: 'dashboard',
      blueprint: null as string | null,
      parent: null as string | null,
      isPrivate: !mayShare,
    },
    send: ({ title, type, blueprint, parent, isPrivate }) =>
      addPage({
        identifier: freeName(
          title,
          items.map((each) => each.identifier),
        ),
        title: title.trim(),
        type: type as 'dashboard',
        ...(isPrivate ? { visibility: 'private' } : parent ? { parent } : {}),
        ...(type === table
          ? {
              blueprint,
              widgets: [{ id: 'entities', type: 'table-entities-explorer', dataset: { combinator: 'and', rules: [] } }],
            }
          : {}),
      } as never),
    onSaved: (identifier, { type }) => {
      onClose();
      void navigate({
        to: '/catalog/$page',
        params: { page: identifier },
        search: type === table ? {} : { edit: 'widgets' },
      });
    },
  });
  const { title, type, blueprint, isPrivate } = form.values;
  return (
    <FormBody
      form={form}
      verb={t('Create page')}
      isReady={title.trim() !== '' && (type !== table || blueprint !== null)}
      onClose={onClose}
    >
      <TextInput label={t('Title')} maxLength={200} data-autofocus {...form.field('title')} />
      <Select
        label={t('Kind')}
        allowDeselect={false}
        data={[
          { value: 'dashboard', label: t('Dashboard: widgets on a board') },
          { value: table, label: t('Table: entities of one blueprint') },
        ]}
        {...form.field('type')}
      />
      {type === table && (
        <Select
          label={t('Blueprint')}
          searchable
          data={(blueprints.data?.blueprints ?? []).map(({ identifier, title: said }) => ({
            value: identifier,
            label: said,
          }))}
          {...form.field('blueprint')}
        />
      )}
      <Switch
        label={t('For me alone')}
        description={mayShare ? undefined : t('Administrators make pages for everybody')}
        disabled={!mayShare}
        {...form.box('isPrivate')}
      />
      {!isPrivate && <FolderInput items={items} {...form.field('parent')} />}
    </FormBody>
  );
}

function FolderInput({ items, ...input }: { items: readonly SidebarItem[] } & SelectProps) {
  const folders = items.filter(isFolder);
  if (folders.length === 0) return null;
  return (
    <Select
      label={t('Folder')}
      clearable
      clearButtonProps={{ 'aria-label': t('Out of the folder') }}
      data={folders.map(({ identifier, title }) => ({ value: identifier, label: title ?? identifier }))}
      {...input}
    />
  );
}

/** An identifier made from a title, with a number if taken. */
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
