import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Eye, EyeOff, Pin, PinOff, Trash2 } from 'lucide-react';
import { call } from '../../api/api.ts';
import { useStoredDraft } from '../../kit/draft.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import type { Field } from '../../parts/entities/fields.ts';
import classes from './edit-layout.module.css';
import { type Fact, factsMax, fieldName } from './facts.ts';
import {
  findDetails,
  type GroupLook,
  groupableFields,
  groupLooks,
  type Layout,
  layoutGroups,
  readLayout,
} from './layout.ts';
import {
  addGroup,
  changeGroup,
  hideField,
  moveField,
  moveGroup,
  moveToGroup,
  removeGroup,
  storedLayout,
  toggleFact,
} from './layout-moves.ts';

const lookNames: Readonly<Record<GroupLook, string>> = {
  rows: t('Rows'),
  stats: t('Figures'),
  links: t('Buttons'),
  text: t('Full width'),
};

interface EditLayoutProps {
  readonly page: string;
  readonly widget: string;
  /** What is stored; undefined while the layout is the suggested one. */
  readonly stored: Layout | undefined;
  readonly fields: readonly Field[];
  readonly blueprintTitle: string;
  readonly facts: { readonly suggested: readonly Fact[]; readonly others: readonly Fact[] };
  readonly onDone: () => void;
}

/** Groups, header facts and hidden fields of all entities of a blueprint, moved by buttons. */
export function EditLayout({ page, widget, stored, fields, blueprintTitle, facts, onDone }: EditLayoutProps) {
  const start = (layout: Layout | undefined): Layout => ({
    groups: layoutGroups(layout, fields, blueprintTitle),
    hidden: layout?.hidden ?? [],
    facts: layout && layout.facts.length > 0 ? layout.facts : facts.suggested.map(({ source }) => ({ source })),
  });
  const suggested = start(undefined);
  const isSuggested = (layout: Layout) => JSON.stringify(layout) === JSON.stringify(suggested);
  const { draft, set, error, bar } = useStoredDraft<Layout, Layout>({
    latest: start(stored),
    name: t('Layout of {blueprintTitle}', { blueprintTitle }),
    guards: t('the layout'),
    command: t('Save the layout'),
    readNow: async () => {
      const now = await call('getPage', { params: { page_identifier: page } });
      return { draft: start(readLayout(findDetails(now.page.widgets ?? []))), by: now.page.updatedBy };
    },
    send: async (layout) => {
      await call('patchWidget', {
        params: { page_identifier: page, widget_id: widget },
        body: { portolan: isSuggested(layout) ? null : storedLayout(layout) },
      });
      return layout;
    },
    savedOf: (layout) => layout,
    staleAfter: ['getPage'],
    done: t('The layout of {blueprintTitle} was saved', { blueprintTitle }),
  });
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text c="dimmed">
          {t('Applies to every {blueprintTitle}. Fields without a value stay folded.', {
            blueprintTitle: blueprintTitle.toLowerCase(),
          })}
        </Text>
        <Group gap="xs">
          <Button variant="default" disabled={isSuggested(draft)} onClick={() => set(suggested)}>
            {t('Back to suggested')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('Close layout')}
          </Button>
        </Group>
      </Group>
      {error && <ErrorState error={error} what={t('The layout was not saved')} />}
      <HeaderEditor layout={draft} onChange={set} facts={facts} />
      {draft.groups.map((group, at) => (
        <GroupEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a group's title changes while it is typed
          key={at}
          at={at}
          layout={draft}
          onChange={set}
          fields={fields}
          name={group.title}
        />
      ))}
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => set(addGroup(draft))}>
        {t('Add group')}
      </Button>
      <HiddenFields layout={draft} onChange={set} fields={fields} />
      <SaveBar {...bar} />
    </Stack>
  );
}

interface Edited {
  readonly layout: Layout;
  readonly onChange: (layout: Layout) => void;
}

/** The facts under the heading: pinned ones in their order, and what else could be pinned. */
function HeaderEditor({ layout, onChange, facts }: Edited & Pick<EditLayoutProps, 'facts'>) {
  const all = [...facts.suggested, ...facts.others];
  const labelOf = (source: string) => all.find((fact) => fact.source === source)?.label ?? source;
  const left = all.filter(({ source }) => !layout.facts.some((fact) => fact.source === source));
  return (
    <section className={classes.group} aria-label={t('Header facts')}>
      <h2 className={classes.title}>{t('Header facts')}</h2>
      <ul className={classes.fields}>
        {layout.facts.map(({ source, label }) => (
          <li key={source} className={classes.field}>
            <span>{label ?? labelOf(source)}</span>
            <ActionIcon
              aria-label={t('Unpin {source} from the header', { source: labelOf(source) })}
              onClick={() => onChange(toggleFact(layout, source))}
            >
              <PinOff size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {layout.facts.length < factsMax ? (
        <Select
          label={t('Pin a fact')}
          placeholder={t('Choose a field')}
          searchable
          maw={320}
          data={left.map(({ source, label }) => ({ value: source, label }))}
          value={null}
          onChange={(source) => source && onChange(toggleFact(layout, source))}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('The header has room for {factsMax} facts.', { factsMax })}
        </Text>
      )}
    </section>
  );
}

function GroupEditor({
  layout,
  onChange,
  at,
  fields,
  name,
}: Edited & { at: number; fields: readonly Field[]; name: string }) {
  const group = layout.groups[at];
  if (!group) return null;
  return (
    <section className={classes.group} aria-label={t('Group {name}', { name })}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('Group title')}
          value={group.title}
          onChange={({ currentTarget }) => onChange(changeGroup(layout, at, { title: currentTarget.value }))}
        />
        <Select
          label={t('Show as')}
          allowDeselect={false}
          w={140}
          data={groupLooks.map((value) => ({ value, label: lookNames[value] }))}
          value={group.as ?? 'rows'}
          onChange={(as) => as && onChange(changeGroup(layout, at, { as: as as GroupLook }))}
        />
        <Step
          label={t('Move group {name} up', { name })}
          isUp
          isOff={at === 0}
          onStep={() => onChange(moveGroup(layout, at, -1))}
        />
        <Step
          label={t('Move group {name} down', { name })}
          isOff={at === layout.groups.length - 1}
          onStep={() => onChange(moveGroup(layout, at, 1))}
        />
        <ActionIcon
          size="lg"
          aria-label={t('Remove group {name}', { name })}
          disabled={layout.groups.length < 2}
          onClick={() => onChange(removeGroup(layout, at))}
        >
          <Trash2 size={14} />
        </ActionIcon>
      </Group>
      <ul className={classes.fields}>
        {group.fields.map((each) => (
          <FieldEditor key={each} name={each} at={at} layout={layout} onChange={onChange} fields={fields} />
        ))}
      </ul>
      {group.fields.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No fields yet. Move one here with "Group" on its row.')}
        </Text>
      )}
    </section>
  );
}

function FieldEditor({
  name,
  at,
  layout,
  onChange,
  fields,
}: Edited & { name: string; at: number; fields: readonly Field[] }) {
  const title = titleOf(name, fields);
  const isPinned = layout.facts.some(({ source }) => source === name);
  const isFull = layout.facts.length >= factsMax;
  const places = layout.groups.flatMap(({ fields: each }) => each);
  return (
    <li className={classes.field}>
      <span>{title}</span>
      <Select
        aria-label={t('Group of {title}', { title })}
        size="xs"
        w={150}
        allowDeselect={false}
        data={layout.groups.map((group, index) => ({ value: String(index), label: group.title || t('Untitled') }))}
        value={String(at)}
        onChange={(to) => to !== null && onChange(moveToGroup(layout, name, Number(to)))}
      />
      <Step
        label={t('Move {title} up', { title })}
        isUp
        isOff={places[0] === name}
        onStep={() => onChange(moveField(layout, name, -1))}
      />
      <Step
        label={t('Move {title} down', { title })}
        isOff={places.at(-1) === name}
        onStep={() => onChange(moveField(layout, name, 1))}
      />
      <ActionIcon
        aria-label={
          isPinned ? t('Unpin {title} from the header', { title }) : t('Pin {title} to the header', { title })
        }
        disabled={!isPinned && isFull}
        onClick={() => onChange(toggleFact(layout, name))}
      >
        {isPinned ? <PinOff size={14} /> : <Pin size={14} />}
      </ActionIcon>
      <ActionIcon aria-label={t('Hide {title}', { title })} onClick={() => onChange(hideField(layout, name))}>
        <EyeOff size={14} />
      </ActionIcon>
    </li>
  );
}

function HiddenFields({ layout, onChange, fields }: Edited & { fields: readonly Field[] }) {
  if (layout.hidden.length === 0) return null;
  return (
    <section className={classes.group} aria-label={t('Hidden fields')}>
      <h2 className={classes.title}>{t('Hidden fields')}</h2>
      <ul className={classes.fields}>
        {layout.hidden.map((name) => (
          <li key={name} className={classes.field}>
            <span>{titleOf(name, fields)}</span>
            <ActionIcon
              aria-label={t('Show {name}', { name: titleOf(name, fields) })}
              onClick={() => onChange(moveToGroup(layout, name, layout.groups.length - 1))}
            >
              <Eye size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Step({
  label,
  isUp = false,
  isOff,
  onStep,
}: {
  label: string;
  isUp?: boolean;
  isOff: boolean;
  onStep: () => void;
}) {
  return (
    <ActionIcon size="lg" aria-label={label} disabled={isOff} onClick={onStep}>
      {isUp ? <ArrowUp size={14} /> : <ArrowDown size={14} />}
    </ActionIcon>
  );
}

function titleOf(name: string, fields: readonly Field[]): string {
  return groupableFields(fields).find((field) => fieldName(field) === name)?.title ?? name;
}
